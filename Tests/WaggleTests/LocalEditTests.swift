import DefinitionModel
import Foundation
import SyncProtocol
import Synchronization
import Testing

@testable import Waggle

@Suite("What is done on a device is what becomes of it", .timeLimit(.minutes(5)))
struct LocalEditTests {
    @Test func ownRecordsHaveNoHiddenFields() async throws {
        let bench = try await DeviceBench()
        let a = try await bench.loggedIn("a")
        let film = Film(title: "Solaris")
        try await a.save(film)
        #expect(try await a.get(Film.self, guid: film.guid)?.director == .null)
        try await a.sync()
        #expect(try await a.get(Film.self, guid: film.guid)?.director == .null)
    }

    /// The earlier change may have reached the server, so saving the same values again is a change.
    @Test func removedRecordComesBackAsItIsSaved() async throws {
        let bench = try await DeviceBench()
        let (a, b) = (try await bench.loggedIn("a"), try await bench.loggedIn("b"))
        let film = Film(title: "old", director: "Tarkovsky")
        var other = Film(title: "other", director: "Tarkovsky")
        try await a.save(film)
        try await a.sync()
        var edited = film
        edited.title = "new"
        try await a.save(edited)
        try await a.save(other)
        bench.wire.next(.answerLost)
        _ = try? await a.sync()
        try await a.remove(film)
        try await a.save(film)
        try await a.remove(other)
        other.director = nil
        try await a.save(other)
        for _ in 0..<2 {
            #expect(try await a.get(Film.self, guid: film.guid)?.title == "old")
            #expect(try await a.get(Film.self, guid: other.guid)?.director == .null)
            try await a.sync()
        }
        try await b.sync()
        #expect(try await b.get(Film.self, guid: film.guid)?.title == "old")
    }

    /// A form can show the refusals before the user saves.
    @Test func refusalsAreAvailableWithoutSaving() async throws {
        let bench = try await DeviceBench()
        let a = try await bench.loggedIn("a")
        let film = Film(title: "Solaris")
        try await a.save(film)
        var wrong = film
        (wrong.score, wrong.studio) = (9, Studio(name: "unsaved").reference)
        for record in [wrong, Film(title: "", score: 9, studio: wrong.studio)] {
            let told = try await a.refusals(saving: record)
            #expect(told.map(\.field) == ["score", "studio"])
            await #expect(throws: Waggle.DatabaseError.refused(told)) { try await a.save(record) }
        }
        for record in [film, Film(title: "Mirror")] {
            #expect(try await a.refusals(saving: record) == [])
        }
        #expect(try await a.list(Film.self).map(\.title) == ["Solaris"])
        try await a.sync()
        try await a.remove(film)
        bench.wire.next(.answerLost)
        _ = try? await a.sync()
        await #expect(throws: Waggle.DatabaseError.removed(guid: film.guid)) {
            _ = try await a.refusals(saving: film)
        }
    }

    @Test func formattedTextsAreCheckedOnDevice() async throws {
        let bench = try await DeviceBench()
        let (a, b) = (try await bench.loggedIn("a"), try await bench.loggedIn("b"))
        var reel = Reel(seal: Bytes(Data([1, 2, 3, 4])))
        reel.notes = .value(try JSONDocument(encoding: ["cut"]))
        try await a.save(reel)
        try await a.sync()
        try await b.sync()
        let theirs = try #require(try await b.get(Reel.self, guid: reel.guid))
        #expect(theirs.seal == reel.seal && theirs.size == reel.size && theirs.notes == .hidden)
        #expect(try await b.find(Reel.self).where(\.seal == reel.seal).count() == 1)
        var wrong = reel
        wrong.seal = Bytes(Data(count: 5))
        wrong.notes = .value(try JSONDocument(encoding: [String(repeating: "x", count: 200)]))
        wrong.size = JSONDocument(canonical: "[")
        #expect(
            try await a.refusals(saving: wrong).map(\.code)
                == ["wrongFormat", "tooLong", "tooManyBytes"])
    }

    /// An app that does not have a model yet keeps its records for the version that does.
    @Test func recordsOfModelToComeAreKept() async throws {
        let bench = try await DeviceBench()
        let b = try await bench.loggedIn("b")
        try await b.save(Studio(name: "Mosfilm"))
        try await b.sync()
        let former = try checked(films().replacing("Studio", with: "Former"))
        let old = try bench.database(definition: former)
        try await old.logIn("a", password: "a")
        try await old.sync()
        let new = try bench.database()
        try await new.logIn("a", password: "a")
        try await new.sync()
        #expect(try await new.list(Studio.self).map(\.name) == ["Mosfilm"])
    }
}

@Suite("Conflicts of every kind come to an end", .timeLimit(.minutes(5)))
struct ConflictEndTests {
    /// The base of the conflict is the record that the app saw, also where the server had none.
    @Test func editOfUnansweredCreationIsAskedAbout() async throws {
        let bench = try await DeviceBench()
        let (a, b) = (try await bench.loggedIn("a"), try await bench.loggedIn("b"))
        var film = Film(title: "first")
        try await a.save(film)
        bench.wire.next(.answerLost)
        _ = try? await a.sync()
        film.title = "mine"
        try await a.save(film)
        try await b.sync()
        var theirs = try #require(try await b.get(Film.self, guid: film.guid))
        theirs.title = "theirs"
        try await b.save(theirs)
        try await b.sync()
        let bases = Mutex<[String?]>([])
        a.onConflict(of: Film.self) { conflict in
            bases.withLock { $0.append(conflict.base?.title) }
            return .useClient
        }
        try await a.sync()
        #expect(bases.withLock { $0 } == ["first"])
        try await b.sync()
        #expect(try await b.get(Film.self, guid: film.guid)?.title == "mine")
    }

    /// The values of a refused edit of a refused creation can be read, and saved again.
    @Test func editsAfterRefusedCreationCanBeRepaired() async throws {
        let bench = try await DeviceBench()
        let (a, b) = (try await bench.loggedIn("a"), try await bench.loggedIn("b"))
        try await b.save(Studio(name: "Mosfilm"))
        try await b.sync()
        var studio = Studio(name: "Mosfilm")
        try await a.save(studio)
        bench.wire.next(.answerLost)
        _ = try? await a.sync()
        studio.name = "Lenfilm"
        try await a.save(studio)
        #expect(try await a.sync().refused == 1)
        let refused = try await a.refusedChanges()
        let wanted = try refused.map { try $0.record(as: Studio.self)?.name }
        #expect(wanted == ["Mosfilm", "Lenfilm"])
    }

    private struct Scene {
        let bench: DeviceBench
        let a: Waggle.Database
        let b: Waggle.Database
        let film = Film(title: "old", score: 1)

        init(_ document: String? = nil) async throws {
            bench = try await DeviceBench(document)
            a = try await bench.loggedIn("a")
            b = try await bench.loggedIn("b")
            try await a.save(film)
            try await a.sync()
            try await b.sync()
        }

        func mine(_ database: Waggle.Database) async throws -> Film {
            try #require(try await database.get(Film.self, guid: film.guid))
        }

        func edit(_ database: Waggle.Database, title: String) async throws {
            var film = try await mine(database)
            film.title = title
            try await database.save(film)
        }
    }

    /// A decision counts only for the change that the handler saw.
    @Test func editsWhileHandlerRunsAreAskedAgain() async throws {
        let scene = try await Scene()
        try await scene.edit(scene.b, title: "theirs")
        try await scene.b.sync()
        try await scene.edit(scene.a, title: "mine")
        let asked = Mutex<[Int64?]>([])
        scene.a.onConflict(of: Film.self) { [a = scene.a] conflict in
            let isFirst = asked.withLock { asked in
                asked.append(conflict.client?.score)
                return asked.count == 1
            }
            guard isFirst, var film = conflict.client else { return .useClient }
            film.score = 5
            _ = try? await a.save(film)
            return .useServer
        }
        try await scene.a.sync()
        #expect(asked.withLock { $0 } == [1, 5])
        #expect(try await scene.mine(scene.a).title == "mine")
        #expect(try await scene.mine(scene.a).score == 5)
    }

    @Test func removalsWhileHandlerRunsAreAskedAgain() async throws {
        let scene = try await Scene()
        try await scene.edit(scene.b, title: "theirs")
        try await scene.b.sync()
        try await scene.edit(scene.a, title: "mine")
        scene.a.onConflict(of: Film.self) { [a = scene.a] conflict in
            guard let film = conflict.client else { return .useClient }
            _ = try? await a.remove(film)
            return .useMerged(film)
        }
        try await scene.a.sync()
        try await scene.b.sync()
        #expect(try await scene.a.list(Film.self).isEmpty)
        #expect(try await scene.b.list(Film.self).isEmpty)
    }

    /// A record that the handler cannot read does not hold up the others.
    @Test func unreadableRecordIsPutOff() async throws {
        let scene = try await Scene()
        var studio = Studio(name: "old")
        try await scene.a.save(studio)
        try await scene.a.sync()
        try await scene.b.sync()
        studio.name = "theirs"
        try await scene.b.save(studio)
        try await scene.edit(scene.b, title: "theirs")
        try await scene.b.sync()
        try await scene.edit(scene.a, title: "mine")
        studio.name = "mine"
        try await scene.a.save(studio)
        let asked = Mutex(0)
        scene.a.onConflict(of: FilmOfAnotherDefinition.self) { _ in .useClient }
        scene.a.onConflict(of: Studio.self) { _ in
            asked.withLock { $0 += 1 }
            return .useClient
        }
        await #expect(throws: SyncFailure.self) { try await scene.a.sync() }
        #expect(asked.withLock { $0 } == 1)
        #expect(try await scene.mine(scene.a).title == "mine")
        scene.a.onConflict(of: Film.self) { _ in .useClient }
        try await scene.a.sync()
        #expect(try await scene.mine(scene.a).title == "mine")
    }

    /// With another title, or as it was.
    @Test(arguments: ["merged", "old"])
    func mergedRecordBringsRemovedOneBack(title: String) async throws {
        let scene = try await Scene(films(.overwrite))
        try await scene.b.remove(try await scene.mine(scene.b))
        try await scene.b.sync()
        try await scene.edit(scene.a, title: "mine")
        scene.a.onConflict(of: Film.self) { conflict in
            guard conflict.server == nil, var film = conflict.client else { return .cancel }
            film.title = title
            return .useMerged(film)
        }
        let summary = try await scene.a.sync()
        #expect(summary.refused == 0)
        try await scene.b.sync()
        #expect(try await scene.mine(scene.b).title == title)
    }

    private func conflicted(
        _ scene: Scene, removing: Bool = false
    ) async throws -> OpenConflict<Film> {
        if removing {
            try await scene.b.remove(try await scene.mine(scene.b))
        } else {
            try await scene.edit(scene.b, title: "theirs")
        }
        try await scene.b.sync()
        try await scene.edit(scene.a, title: "mine")
        try await scene.a.sync()
        return try #require(try await scene.a.conflicts(of: Film.self).first)
    }

    /// The last edit counts, also where it equals the server's values.
    @Test(arguments: [false, true])
    func lastResolutionCounts(isSent: Bool) async throws {
        let scene = try await Scene()
        let conflict = try await conflicted(scene)
        let (mine, theirs) = (conflict.sides.first?.mine, conflict.record)
        if isSent {
            var other = try #require(theirs)
            other.title = "in between"
            try await scene.a.save(other)
            scene.bench.wire.next(.requestLost)
            _ = try? await scene.a.sync()
        } else {
            try await scene.a.resolve(try #require(mine))
        }
        try await scene.a.resolve(try #require(theirs))
        #expect(try await scene.mine(scene.a).title == "theirs")
        try await scene.a.sync()
        #expect(try await scene.mine(scene.a).title == "theirs")
    }

    @Test func removedRecordIsChosenAsItWas() async throws {
        let scene = try await Scene()
        let conflict = try await conflicted(scene, removing: true)
        #expect(conflict.record == nil)
        let base = try #require(conflict.sides.first?.base)
        #expect(base.title == "old")
        try await scene.a.resolve(base)
        #expect(try await scene.a.sync().accepted == 1)
        #expect(try await scene.mine(scene.a).title == "old")
        try await scene.b.sync()
        #expect(try await scene.mine(scene.b).title == "old")
    }

    /// One field restores the record. A relation to a removed record would be refused.
    @Test func removedRecordIsChosenWithoutItsRelationToAnotherOne() async throws {
        let studioOrTitle = try films().replacing(
            /(name="(?:score|shownAt)"[^>]*>\s*<credentials>\s*<credential[^>]*updateAllowed=)"ALL"/
        ) { "\($0.1)\"NONE\"" }
        let scene = try await Scene(studioOrTitle)
        let studio = Studio(name: "Mosfilm")
        try await scene.a.save(studio)
        var film = try await scene.mine(scene.a)
        film.studio = studio.reference
        try await scene.a.save(film)
        try await scene.a.sync()
        try await scene.a.remove(studio)
        try await scene.a.sync()
        try await scene.b.sync()
        _ = try await conflicted(scene, removing: true)
        try await scene.b.sync()
        let conflict = try #require(try await scene.b.conflicts(of: Film.self).first)
        let base = try #require(conflict.sides.first?.base)
        #expect(base.studio == studio.reference)
        try await scene.b.resolve(base)
        #expect(try await scene.b.sync().accepted == 1)
        try await scene.a.sync()
        #expect(try await scene.mine(scene.a).title == "old")
    }

    @Test(arguments: [false, true])
    func removalIsChosen(isRemoved: Bool) async throws {
        let scene = try await Scene()
        let conflict = try await conflicted(scene, removing: isRemoved)
        try await scene.a.resolve(removing: conflict)
        let summary = try await scene.a.sync()
        #expect(summary.accepted == (isRemoved ? 1 : 2) && summary.refused == 0)
        try await scene.b.sync()
        for database in [scene.a, scene.b] {
            #expect(try await database.conflicts(of: Film.self).isEmpty)
            #expect(try await database.list(Film.self).isEmpty)
        }
    }
}

/// A film whose score is a text.
private struct FilmOfAnotherDefinition: Record {
    static let modelName = "Film"

    let guid: String
    let owner = ""
    let group = ""
    let isConflicted = false
    let score: String

    static func property(at path: PartialKeyPath<Self>) -> RecordProperty? { nil }

    init(_ values: RecordValues) throws(RecordError) {
        guid = values.guid
        score = try values.value(of: "score")
    }

    var values: RecordValues { RecordValues(model: Self.modelName, guid: guid) }
}
