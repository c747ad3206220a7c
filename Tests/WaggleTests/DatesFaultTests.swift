import DefinitionModel
import SyncProtocol
import Testing

@testable import Waggle

/// A hand-written sync engine of a calendar app lost data in all these ways.
@Suite("The faults of a sync that was written by hand", .timeLimit(.minutes(5)))
struct DatesFaultTests {
    private func two(
        _ mode: ConflictMode = .merge
    ) async throws -> (bench: DeviceBench, a: Waggle.Database, b: Waggle.Database) {
        let bench = try await DeviceBench(films(mode))
        return (bench, try await bench.loggedIn("a"), try await bench.loggedIn("b"))
    }

    /// The engine took records that were not on the first page for deleted.
    @Test func recordsOnLaterPagesStay() async throws {
        let (_, a, b) = try await two()
        try await a.transaction { transaction in
            for number in 0..<1205 { try transaction.save(Film(title: "\(number)")) }
        }
        #expect(try await a.sync().accepted == 1205)
        #expect(try await b.sync().received == 1205)
        #expect(try await b.count(Film.self) == 1205)
        try await a.syncAll()
        #expect(try await a.count(Film.self) == 1205)
    }

    /// The engine skipped an empty answer, so that devices kept records that were all deleted.
    @Test func deletingAllRecordsIsSynced() async throws {
        let (_, a, b) = try await two()
        for number in 0..<3 { try await a.save(Film(title: "\(number)")) }
        try await a.sync()
        try await b.sync()
        try await a.removeAll(Film.self)
        try await a.sync()
        try await b.syncAll()
        #expect(try await b.count(Film.self) == 0)
    }

    /// The engine cut off fractions of a second, and lost changes with them.
    @Test func millisecondCounts() async throws {
        let (_, a, b) = try await two()
        let exact = Instant(milliseconds: 1_700_000_000_123)
        var film = Film(title: "Solaris")
        film.shownAt = exact
        try await a.save(film)
        try await a.sync()
        try await b.sync()
        #expect(try await b.get(Film.self, guid: film.guid)?.shownAt == exact)
        film.shownAt = Instant(milliseconds: 1_700_000_000_124)
        try await a.save(film)
        try await a.sync()
        #expect(try await b.sync().received == 1)
        #expect(try await b.get(Film.self, guid: film.guid)?.shownAt == film.shownAt)
    }

    /// The engine downloaded everything each time, to find deletions.
    @Test func onlyChangedRecordsAreReceived() async throws {
        let (_, a, b) = try await two()
        for number in 0..<20 { try await a.save(Film(title: "\(number)")) }
        try await a.sync()
        try await b.sync()
        let film = try #require(try await a.list(Film.self).first)
        try await a.remove(film)
        try await a.sync()
        #expect(try await b.sync().received == 1)
        #expect(try await b.count(Film.self) == 19)
    }

    /// The engine sent new records, and never edited ones.
    @Test func editsAreSent() async throws {
        let (_, a, b) = try await two()
        var film = Film(title: "Solaris")
        try await a.save(film)
        try await a.sync()
        film.title = "Mirror"
        try await a.save(film)
        try await a.sync()
        try await b.sync()
        #expect(try await b.list(Film.self).map(\.title) == ["Mirror"])
    }

    /// The engine overwrote local edits with received records.
    @Test func editOutlivesPull() async throws {
        let (_, a, b) = try await two()
        var film = Film(title: "Solaris")
        try await a.save(film)
        try await a.sync()
        try await b.sync()
        film.score = 3
        try await a.save(film)
        try await a.sync()
        var theirs = try #require(try await b.get(Film.self, guid: film.guid))
        theirs.title = "Mirror"
        try await b.save(theirs)
        try await b.sync()
        let merged = try #require(try await b.get(Film.self, guid: film.guid))
        #expect(merged.title == "Mirror" && merged.score == 3)
    }

    /// The engine created a record once more when the answer was lost.
    @Test func lostAnswerMakesNoDuplicate() async throws {
        let (bench, a, b) = try await two()
        try await a.save(Film(title: "Solaris"))
        bench.wire.next(.answerLost)
        await #expect(throws: SyncFailure.self) { try await a.sync() }
        try await a.sync()
        try await b.sync()
        #expect(try await b.count(Film.self) == 1)
    }

    /// The engine tried without end to delete a record that was deleted already.
    @Test func recordCanBeDeletedTwice() async throws {
        let (_, a, b) = try await two()
        let film = Film(title: "Solaris")
        try await a.save(film)
        try await a.sync()
        try await b.sync()
        for database in [a, b] {
            let known = try #require(try await database.get(Film.self, guid: film.guid))
            try await database.remove(known)
        }
        #expect(try await a.sync().accepted == 1)
        #expect(try await b.sync().accepted == 1)
        #expect(try await b.refusedChanges().isEmpty)
        #expect(try await b.sync() == SyncSummary())
    }

    /// The engine took records that the user may not read any more for deleted, and deleted them
    /// for everybody.
    @Test func invisibleRecordsAreOnlyForgotten() async throws {
        let (bench, a, b) = try await two()
        let film = Film(title: "Solaris", director: "Tarkovsky")
        try await a.save(film)
        try await a.sync()
        #expect(try await a.get(Film.self, guid: film.guid)?.director == "Tarkovsky")
        try await bench.wire.give(film.guid, of: "Film", to: "b")
        try await a.sync()
        try await b.sync()
        #expect(try await a.get(Film.self, guid: film.guid)?.director == .hidden)
        #expect(try await b.get(Film.self, guid: film.guid)?.director == "Tarkovsky")
    }

    /// The engine knew no order between parents and children.
    @Test func childCanBeMadeBeforeItsParent() async throws {
        let (_, a, b) = try await two()
        var film = Film(title: "Solaris")
        try await a.save(film)
        let studio = Studio(name: "Mosfilm")
        try await a.save(studio)
        film.studio = studio.reference
        try await a.save(film)
        #expect(try await a.sync().accepted == 2)
        try await b.sync()
        #expect(try await b.find(studio.films).all().map(\.title) == ["Solaris"])
    }
}
