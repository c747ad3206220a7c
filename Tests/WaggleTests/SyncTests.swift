import DefinitionModel
import JSON
import SyncProtocol
import Testing

@testable import Waggle

@Suite("Two devices come together", .timeLimit(.minutes(5)))
struct SyncTests {
    @Test func savedRecordsReachTheOtherDevice() async throws {
        let bench = try await DeviceBench()
        let (a, b) = (try await bench.loggedIn("a"), try await bench.loggedIn("b"))
        let studio = Studio(name: "Mosfilm")
        let film = Film(title: "Solaris", director: "Tarkovsky", studio: studio.reference)
        try await a.save(studio)
        try await a.save(film)
        let sent = try await a.sync()
        #expect(sent.accepted == 2 && sent.refused == 0)

        #expect(try await b.sync().received == 2)
        let got = try #require(try await b.get(Film.self, guid: film.guid))
        #expect(got.title == "Solaris" && got.owner == "a" && got.score == 1)
        #expect(got.director == .hidden, "only whoever entered it sees it")
        #expect(try await b.get(try #require(got.studio))?.name == "Mosfilm")
        #expect(try await a.get(Film.self, guid: film.guid)?.director == "Tarkovsky")
        #expect(try await b.sync() == SyncSummary())
    }

    /// Saving a record leaves the fields unchanged that the user may not see.
    @Test func hiddenFieldSurvives() async throws {
        let bench = try await DeviceBench()
        let (a, b) = (try await bench.loggedIn("a"), try await bench.loggedIn("b"))
        let film = Film(title: "Solaris", director: "Tarkovsky")
        try await a.save(film)
        try await a.sync()
        try await b.sync()
        var got = try #require(try await b.get(Film.self, guid: film.guid))
        got.title = "Solyaris"
        try await b.save(got)
        try await b.sync()
        try await a.sync()
        let mine = try #require(try await a.get(Film.self, guid: film.guid))
        #expect(mine.title == "Solyaris" && mine.director == "Tarkovsky")
    }

    @Test func deletionsCome() async throws {
        let bench = try await DeviceBench()
        let (a, b) = (try await bench.loggedIn("a"), try await bench.loggedIn("b"))
        for number in 0..<3 { try await a.save(Film(title: "\(number)")) }
        try await a.sync()
        try await b.sync()
        try await b.removeAll(Film.self)
        try await b.sync()
        #expect(try await a.sync().received == 3)
        #expect(try await a.list(Film.self).isEmpty)
    }

    /// Several edits of a record before a sync are one change, and parents are sent first.
    @Test func editsBeforeSyncAreOne() async throws {
        let bench = try await DeviceBench()
        let a = try await bench.loggedIn("a")
        var film = Film(title: "Solaris")
        try await a.save(film)
        let studio = Studio(name: "Mosfilm")
        try await a.save(studio)
        film.studio = studio.reference
        film.score = 5
        try await a.save(film)
        let other = Film(title: "Mirror")
        try await a.save(other)
        try await a.remove(other)
        try await a.sync()
        let changes = try #require(bench.wire.seen.first).changes
        #expect(changes.map(\.guid) == [studio.guid, film.guid])
        #expect(changes.map(\.action) == [.create, .create])
        #expect(changes.last?.fields["score"] == 5)
    }

    /// A change is applied once, wherever the network breaks.
    @Test(arguments: [EngineWire.Fault.requestLost, .answerLost])
    func lostRequestsAreSentAgain(fault: EngineWire.Fault) async throws {
        let bench = try await DeviceBench()
        let (a, b) = (try await bench.loggedIn("a"), try await bench.loggedIn("b"))
        let film = Film(title: "Solaris")
        try await a.save(film)
        bench.wire.next(fault)
        await #expect(throws: SyncFailure.unreachable("lost")) { try await a.sync() }
        // The creation may have arrived, so this edit is a change of its own.
        var edited = try #require(try await a.get(Film.self, guid: film.guid))
        edited.score = 4
        try await a.save(edited)
        bench.wire.next(fault)
        await #expect(throws: SyncFailure.unreachable("lost")) { try await a.sync() }
        try await a.sync()
        try await b.sync()
        let got = try await b.list(Film.self)
        #expect(got.map(\.title) == ["Solaris"] && got.map(\.score) == [4])
        #expect(try await a.list(Film.self).map(\.score) == [4])
        #expect(try await a.sync() == SyncSummary())
    }

    @Test func pullOverwritesNoUnsentEdit() async throws {
        let bench = try await DeviceBench(films(.merge))
        let (a, b) = (try await bench.loggedIn("a"), try await bench.loggedIn("b"))
        let film = Film(title: "Solaris")
        try await a.save(film)
        try await a.sync()
        try await b.sync()
        var mine = try #require(try await a.get(Film.self, guid: film.guid))
        mine.title = "Solyaris"
        try await a.save(mine)
        var theirs = try #require(try await b.get(Film.self, guid: film.guid))
        theirs.score = 5
        try await b.save(theirs)
        try await b.sync()
        try await a.sync()
        let merged = try #require(try await a.get(Film.self, guid: film.guid))
        #expect(merged.title == "Solyaris" && merged.score == 5)
    }

    @Test func refusedEditsAreKeptForRepair() async throws {
        let bench = try await DeviceBench()
        let (a, b) = (try await bench.loggedIn("a"), try await bench.loggedIn("b"))
        // Each device alone accepts its studio: neither knows of the other's.
        try await a.save(Studio(name: "Mosfilm"))
        let late = Studio(name: "Mosfilm")
        try await b.save(late)
        try await b.save(Film(title: "Mirror", studio: late.reference))
        try await a.sync()
        let summary = try await b.sync()
        #expect(summary.refused == 2 && summary.accepted == 0)
        #expect(try await b.list(Film.self).isEmpty)
        let refused = try await b.refusedChanges()
        #expect(refused.map { $0.refusals.map(\.code) } == [["notUnique"], ["dependsOnRefused"]])

        var studio = try #require(try refused[0].record(as: Studio.self))
        studio.name = "Mosfilm 2"
        try await b.save(studio)
        try await b.save(try #require(try refused[1].record(as: Film.self)))
        for change in refused { try await b.forget(change) }
        #expect(try await b.sync().accepted == 2)
        #expect(try await b.refusedChanges().isEmpty)
        #expect(try await b.list(Film.self).map(\.title) == ["Mirror"])
    }

    @Test func fromNothingAgainTheSameIsThere() async throws {
        let bench = try await DeviceBench()
        let (a, b) = (try await bench.loggedIn("a"), try await bench.loggedIn("b"))
        for number in 0..<5 { try await a.save(Film(title: "\(number)")) }
        try await a.sync()
        try await b.sync()
        let unsent = Film(title: "unsent")
        try await b.save(unsent)
        try await b.syncAll()
        #expect(try await b.count(Film.self) == 6)
        try await a.syncAll()
        let (mine, theirs) = (try await a.list(Film.self), try await b.list(Film.self))
        #expect(mine.map(\.guid) == theirs.map(\.guid) && mine.map(\.title) == theirs.map(\.title))
    }
}

@Suite("Who is known goes on without a network", .timeLimit(.minutes(5)))
struct LoginTests {
    @Test func offlineWithTheLastKnownRole() async throws {
        let bench = try await DeviceBench()
        let film = Film(title: "Solaris")
        let database = try await bench.loggedIn("a")
        try await database.save(film)
        try await database.sync()

        bench.wire.cut(true)
        let again = try bench.database(on: "phone-of-a")
        await #expect(throws: SyncFailure.wrongCredentials) {
            try await again.logIn("a", password: "b")
        }
        await #expect(throws: SyncFailure.unreachable("no network")) {
            try await again.logIn("b", password: "b")
        }
        let user = try await again.logIn("a", password: "a")
        #expect(user.isOffline && user.role == "users-mobile" && user.group == "users")
        #expect(try await again.list(Film.self).map(\.title) == ["Solaris"])
        try await again.save(Film(title: "Mirror"))
        bench.wire.cut(false)
        #expect(try await again.sync().accepted == 1)
    }

    @Test func wrongPasswordIsReported() async throws {
        let bench = try await DeviceBench()
        let database = try bench.database()
        await #expect(throws: SyncFailure.wrongCredentials) {
            try await database.logIn("a", password: "x")
        }
        #expect(database.user == nil)
        await #expect(throws: SyncFailure.notLoggedIn) { try await database.sync() }
    }

    /// A guest sees no director and may change nothing.
    @Test func everybodyHasTheirOwnRole() async throws {
        let bench = try await DeviceBench()
        let database = try await bench.loggedIn("a", on: "one phone")
        try await database.save(Film(title: "Solaris"))
        try await database.sync()
        try await database.logOut()
        try await database.logIn("g", password: "g")
        try await database.sync()
        let film = try #require(try await database.list(Film.self).first)
        await #expect(throws: DatabaseError.self) { try await database.remove(film) }
    }
}

@Suite("Progress is told", .timeLimit(.minutes(5)))
struct ProgressTests {
    @Test func progressIsReportedFromStartToEnd() async throws {
        let bench = try await DeviceBench()
        let database = try await bench.loggedIn("a")
        try await database.save(Film(title: "Solaris"))
        let progress = database.progress()
        let summary = try await database.sync()
        var seen: [SyncProgress] = []
        for await step in progress {
            seen.append(step)
            if case .finished = step { break }
        }
        #expect(
            seen == [
                .started, .sending(changes: 1), .received(records: 1), .finished(summary),
            ])
    }
}
