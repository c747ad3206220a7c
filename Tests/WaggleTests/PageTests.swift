import SyncProtocol
import Synchronization
import Testing

@testable import Waggle

@Suite("A page is requested while the page before it is stored", .timeLimit(.minutes(5)))
struct PageTests {
    private static let films = 45
    private let bench: DeviceBench
    private let detour: DetourWire
    private let database: Waggle.Database

    /// A device that has yet to receive five pages.
    init() async throws {
        bench = try await DeviceBench()
        let author = try await bench.loggedIn("a")
        for number in 0..<Self.films { try await author.save(Film(title: "\(number)")) }
        try await author.sync()
        bench.wire.shortenPages(to: 10)
        detour = DetourWire(to: bench.wire)
        database = try bench.database(through: detour)
        try await database.logIn("b", password: "b")
    }

    @Test func nextPageDoesNotWait() async throws {
        let progress = database.progress()
        try await database.sync()
        var seen: [SyncProgress] = []
        for await step in progress {
            seen.append(step)
            if case .finished = step { break }
        }
        let sent = seen.indices.filter { seen[$0] == .sending(changes: 0) }
        let received = seen.indices.filter { seen[$0].records != nil }
        #expect(received.compactMap { seen[$0].records } == [10, 20, 30, 40, 45])
        // The device has yet to learn that it has nothing to send.
        #expect(sent[1] > received[0])
        for page in 2..<5 { #expect(sent[page] < received[page - 1]) }
        #expect(try await database.count(Film.self) == Self.films)
        #expect(try await database.sync() == SyncSummary())
    }

    /// The pages before the lost one are stored.
    @Test(arguments: 1...5, [EngineWire.Fault.requestLost, .answerLost])
    func lostPageIsRequestedAgain(page: Int, fault: EngineWire.Fault) async throws {
        let number = Mutex(0)
        let wire = bench.wire
        detour.take { request in
            let isLost = number.withLock { number in
                number += request.sync == nil ? 0 : 1
                return number == page
            }
            if isLost { wire.next(fault) }
            return nil
        }
        await #expect(throws: SyncFailure.unreachable("lost")) { try await database.sync() }
        #expect(try await database.count(Film.self) == 10 * (page - 1))
        #expect(try await database.sync().received == Self.films - 10 * (page - 1))
        #expect(try await database.count(Film.self) == Self.films)
    }

    /// An edit waits for two transactions of pages at most: the one whose pages are requested and
    /// the next, which may begin before the edit is stored.
    @Test(arguments: 1...3) func editMadeMeanwhileIsSent(page: Int) async throws {
        bench.wire.shortenPages(to: 2)
        let sent = Mutex<[Int]>([])
        let database = database
        detour.take { request throws(WireFailure) in
            guard let changes = request.sync?.changes.count else { return nil }
            let number = sent.withLock { sent in
                sent.append(changes)
                return sent.count
            }
            guard number == page else { return nil }
            do {
                try await database.save(Film(title: "new"))
            } catch {
                throw WireFailure(reason: "\(error)")
            }
            return nil
        }
        #expect(try await database.sync().accepted == 1)
        let requests = sent.withLock { $0 }
        let carrier = try #require(requests.firstIndex(of: 1)) + 1
        #expect(carrier > page && carrier <= page + 2 * SyncRun.maxPages, "\(requests)")
        #expect(carrier < requests.count)
        #expect(try await database.count(Film.self) == Self.films + 1)
    }

    @Test func resyncKeepsRecordsOnLaterPages() async throws {
        try await database.sync()
        try await database.syncAll()
        #expect(try await database.count(Film.self) == Self.films)
    }
}

extension SyncProgress {
    fileprivate var records: Int? {
        guard case .received(let records) = self else { return nil }
        return records
    }
}
