import AccessPolicy
import ChangeRules
import DefinitionModel
import RecordSearch
import SyncEngine
import Testing

@testable import Waggle

@Suite("Device and server find the same")
struct FormatAgreementTests {
    private static let queries = 120

    @Test(arguments: UInt64(0)..<12)
    func deviceFindsWhatServerFinds(seed: UInt64) async throws {
        let bench = try await DeviceBench()
        var reels = RandomReels(seed: seed)
        // In the order of their guids, which decides between equal ones on a device; the server has
        // the order of creation.
        for (login, numbers) in [("a", 0..<25), ("b", 25..<50)] {
            let database = try await bench.loggedIn(login)
            for number in numbers { try await database.save(reels.reel(guid(number))) }
            #expect(try await database.sync().accepted == numbers.count)
        }
        let database = try await bench.loggedIn("a")
        try await database.sync()
        var telling = 0
        for number in 0..<Self.queries {
            let (pair, order, page) = (reels.pair(), reels.order(), reels.page())
            let found = try await server(bench.wire, finds: pair.filter, in: order)
            var query = order.sorted(Query<Reel>().where(pair.condition)).skip(page.skipped)
            if let limit = page.limit { query = query.limit(to: limit) }
            let expected = found.dropFirst(page.skipped).prefix(page.limit ?? .max)
            try #require(
                try await database.find(query).all().map(\.guid) == Array(expected),
                "seed \(seed), query \(number): \(pair.filter) by \(order.operand), \(page)")
            try #require(
                try await database.find(Query<Reel>().where(pair.condition)).count() == found.count)
            telling += found.isEmpty || found.count == 50 ? 0 : 1
        }
        #expect(telling * 3 > Self.queries, "\(telling) queries tell reels apart")
    }

    private func server(
        _ wire: EngineWire, finds filter: QueryFilter, in order: RandomReels.Order
    ) async throws -> [String] {
        let role = Role(group: "users", deviceCategory: "mobile")
        let caller = Caller(
            asker: Asker(login: "a", group: "users", role: role), deviceIdentifier: "d",
            isAdmin: false, moment: .none)
        let query = FindQuery(
            filter: filter,
            sort: [FindQuery.SortKey(order.operand, descends: order.descends)], limit: 100)
        return try await wire.engine.find(query, of: "Reel", for: caller).records.map(\.guid)
    }
}

private func guid(_ number: Int) -> String {
    "00000000-0000-4000-8000-0000000000" + (number < 10 ? "0" : "") + "\(number)"
}
