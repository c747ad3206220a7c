import Foundation
import JSON
import SyncProtocol
import Synchronization
import TestKit
import Testing

@testable import Waggle

@Suite("Whatever the server answers, nothing is lost", .timeLimit(.minutes(5)))
struct AnswerTests {
    let bench: DeviceBench
    let detour: DetourWire
    let a: Waggle.Database

    init() async throws {
        bench = try await DeviceBench()
        detour = DetourWire(to: bench.wire)
        a = try bench.database(through: detour)
        try await a.logIn("a", password: "a")
    }

    /// The server was restored to an earlier state, or to another database.
    @Test(arguments: [(409, "cursorForeign"), (400, "cursorUnreadable")])
    func refusedCursorStartsOver(status: Int, code: String) async throws {
        var film = Film(title: "Solaris")
        try await a.save(film)
        try await a.sync()
        film.title = "Solyaris"
        try await a.save(film)
        try await a.save(Film(title: "unsent"))
        detour.refuse(1, status, code) { $0.cursor != nil }
        #expect(try await a.sync().accepted == 2)
        let films = try await a.find(Film.self).order(by: \.title).all()
        #expect(films.map(\.title) == ["Solyaris", "unsent"])
        #expect(try await a.sync() == SyncSummary())
    }

    /// A server that refuses every cursor is not asked without end.
    @Test func emptyCursorIsNotRefusedTwice() async throws {
        detour.refuse(.max, 409, "cursorForeign")
        let failure = SyncFailure.server(status: 409, code: "cursorForeign", message: "no")
        await #expect(throws: failure) { try await a.sync() }
    }

    @Test func lessIsSentWhereServerTakesLess() async throws {
        let sizes = Mutex<[Int]>([])
        detour.take { request in
            guard let changes = request.sync?.changes, !changes.isEmpty else { return nil }
            sizes.withLock { $0.append(changes.count) }
            let isTooMuch = changes.count > 3 || changes.contains { $0.fields["title"] == "huge" }
            return isTooMuch ? .error(413, "bodyTooLarge") : nil
        }
        for number in 0..<9 {
            try await a.save(Film(title: number == 4 ? "huge" : "\(number)"))
        }
        let summary = try await a.sync()
        #expect(summary.accepted == 8 && summary.refused == 1)
        #expect(sizes.withLock { $0.prefix(3) } == [9, 4, 2])
        let refused = try await a.refusedChanges()
        #expect(refused.map { $0.refusals.map(\.code) } == [["bodyTooLarge"]])
        #expect(try refused.first?.record(as: Film.self)?.title == "huge")
        #expect(try await a.count(Film.self) == 8)
        #expect(try await a.sync() == SyncSummary())
    }

    @Test func slowNetworkGetsLess() async throws {
        detour.refuse(.max, 408, "bodyTooSlow") { $0.changes.count > 1 }
        for number in 0..<3 { try await a.save(Film(title: "\(number)")) }
        #expect(try await a.sync().accepted == 3)
        #expect(SyncFailure(.error(408, "bodyTooSlow")).isTemporary)
    }

    /// A proxy redirects to the server's own address.
    @Test func redirectIsReportedWithItsTarget() {
        let answer = WireAnswer(
            status: 308, body: [], headers: ["location": "https://sync.example.org/v1"])
        #expect(
            SyncFailure(answer).description
                == "the server refuses (308): it points to 'https://sync.example.org/v1': "
                + "call the server itself")
    }

    @Test func sessionThatEndsInMiddleGoesOn() async throws {
        for number in 0..<3 { try await a.save(Film(title: "\(number)")) }
        detour.refuse(1, 401, "tokenUnknown")
        await #expect(throws: SyncFailure.sessionEnded) { try await a.sync() }
        #expect(try await a.count(Film.self) == 3)
        try await a.logIn("a", password: "a")
        #expect(try await a.sync().accepted == 3)
    }

    /// A proxy answers with a page of HTML.
    @Test func errorsOfProxyAreTemporary() async throws {
        try await a.save(Film(title: "Solaris"))
        detour.take { _ in WireAnswer(status: 502, body: Array("<html>".utf8)) }
        do {
            try await a.sync()
            Issue.record("it cannot go well")
        } catch {
            #expect(error.isTemporary, "\(error)")
        }
        #expect(try await a.logIn("a", password: "a").isOffline)
        detour.take { _ in nil }
        #expect(try await a.sync().accepted == 1)
    }

    @Test func cancellingIsReported() async throws {
        try await a.save(Film(title: "Solaris"))
        let (started, isStarted) = AsyncStream<Void>.makeStream()
        detour.take { request async throws(WireFailure) in
            isStarted.yield()
            while !Task.isCancelled { await Task.yield() }
            throw WireFailure(reason: "cancelled")
        }
        let sync = Task { try await a.sync() }
        for await _ in started { break }
        sync.cancel()
        await #expect(throws: SyncFailure.cancelled) { try await sync.value }
        detour.take { _ in nil }
        #expect(try await a.sync().accepted == 1)
    }

    /// Every outcome is acknowledged, so that the server need not keep it; also that of a disputed
    /// change, and of one that was sent again.
    @Test func everyOutcomeIsAcknowledged() async throws {
        let b = try await bench.loggedIn("b")
        var film = Film(title: "old")
        try await a.save(film)
        try await a.sync()
        try await b.sync()
        var theirs = try #require(try await b.get(Film.self, guid: film.guid))
        theirs.title = "theirs"
        try await b.save(theirs)
        try await b.sync()
        film.title = "mine"
        try await a.save(film)
        a.onConflict { _ in .useClient }
        let studio = Studio(name: "Mosfilm")
        try await b.save(studio)
        try await b.sync()
        let late = Studio(name: "Mosfilm")
        try await a.save(late)
        var renamed = late
        bench.wire.next(.answerLost)
        _ = try? await a.sync()
        renamed.name = "Lenfilm"
        try await a.save(renamed)
        for database in [a, a, b] { try await database.sync() }
        let requests = bench.wire.seen
        let sent = Dictionary(
            requests.flatMap(\.changes).map { ($0.id, 1) }, uniquingKeysWith: +)
        let acknowledged = Set(requests.flatMap(\.acknowledged))
        #expect(sent.count > 2 && sent.values.contains { $0 > 1 })
        #expect(Set(sent.keys).subtracting(acknowledged).isEmpty)
    }

    @Test func automaticSyncPausesUntilThereIsEdit() async throws {
        let clock = ContinuousClock()
        let start = clock.now
        let progress = a.progress()
        let syncing = Task { try await a.syncAutomatically(every: .milliseconds(500)) }
        var count = 0
        for await step in progress {
            if case .finished = step { count += 1 }
            if count == 4 { break }
        }
        #expect(clock.now - start > .milliseconds(3 * 500))
        syncing.cancel()
        try await syncing.value
    }

    @Test func editIsSentAtOnce() async throws {
        let progress = a.progress()
        let syncing = Task { try await a.syncAutomatically(every: .seconds(3600)) }
        var accepted = 0
        for await step in progress {
            guard case .finished(let summary) = step else { continue }
            accepted += summary.accepted
            if accepted == 2 { break }
            try await a.save(Film(title: "\(accepted)"))
        }
        syncing.cancel()
        try await syncing.value
        #expect(try await a.count(Film.self) == 2)
    }
}
