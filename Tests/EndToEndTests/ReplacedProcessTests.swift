import Foundation
import SyncProtocol
import Synchronization
import TestKit
import Testing

/// Four processes serve one database, and clients change between them with every request. While the
/// clients push, one process after another is killed and replaced.
@Suite(.withManyProcesses, .timeLimit(.minutes(15))) struct ReplacedProcessTests {
    private static let kills =
        ProcessInfo.processInfo.environment["WAGGLE_KILLS"].flatMap { Int($0) } ?? 4
    private static let shared = "ffffffff-0000-4000-8000-000000000000"

    @Test(arguments: [UInt64(30)])
    func nobodyNoticesMoreThanRetryHeals(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let site = try await Site(prepared: "Conflicts") {
            try $0.changing(#"conflictMode="MANUAL""#, to: #"conflictMode="OVERWRITE""#)
        }
        let server = try await RunningServer(site: site, processes: 4)
        let clients = try await PersistentClient.signedIn(
            6, to: server, sharing: Self.shared, seed: seed)
        let end = End()
        let after = try await withThrowingTaskGroup(of: (Int, PersistentClient).self) { group in
            for (number, client) in clients.enumerated() {
                group.addTask {
                    var client = client
                    var failures = 0
                    while !end.hasCome || !client.pending.isEmpty {
                        failures = try await client.push(to: server) ? 0 : failures + 1
                        // At most one of four processes is down at a time.
                        try #require(failures < 100, "no retry heals it")
                    }
                    return (number, client)
                }
            }
            for _ in 0..<Self.kills {
                try await server.replaceProcess(random.number(in: 0..<4))
            }
            end.come()
            return try await group.reduce(into: clients) { $0[$1.0] = $1.1 }
        }
        #expect(after.reduce(0) { $0 + $1.answeredChanges } > Self.kills * clients.count)
        try await expectAll(after, of: site)
        #expect(await server.stop() == 0)
    }

    /// Each client's records are as expected, and no change was applied twice.
    private func expectAll(_ clients: [PersistentClient], of site: Site) async throws {
        let twice = try await site.sql(
            "SELECT change_id FROM history GROUP BY login, change_id HAVING count(*) > 1")
        #expect(twice == "", "done twice")
        let rows = try await site.sql("SELECT guid, revision FROM records ORDER BY guid")
        var expected = [Self.shared: Int64(1 + clients.reduce(0) { $0 + $1.sharedUpdates })]
        for client in clients { expected.merge(client.settled.mapValues(\.revision)) { $1 } }
        let lines = expected.sorted { $0.key < $1.key }.map { "\($0.key)|\($0.value)" }
        #expect(rows.split(separator: "\n").map(String.init) == lines)
    }
}

/// Ends a loop of several tasks.
private final class End: Sendable {
    private let isOver = Atomic(false)

    var hasCome: Bool { isOver.load(ordering: .relaxed) }

    func come() { isOver.store(true, ordering: .relaxed) }
}
