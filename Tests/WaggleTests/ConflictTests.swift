import SyncProtocol
import Synchronization
import Testing

@testable import Waggle

/// Two devices change one film: the title on this one, the score or the title on the other.
@Suite("A conflict is settled by whoever is asked", .timeLimit(.minutes(5)))
struct ConflictTests {
    let bench: DeviceBench
    let a: Waggle.Database
    let b: Waggle.Database
    let film = Film(title: "old", score: 1)

    init() async throws {
        bench = try await DeviceBench()
        a = try await bench.loggedIn("a")
        b = try await bench.loggedIn("b")
        try await a.save(film)
        try await a.sync()
        try await b.sync()
    }

    private func change(
        on database: Waggle.Database, _ change: (inout Film) -> Void
    ) async throws {
        var film = try #require(try await database.get(Film.self, guid: film.guid))
        change(&film)
        try await database.save(film)
    }

    private func titles() async throws -> [String?] {
        try await a.sync()
        try await b.sync()
        return [
            try await a.get(Film.self, guid: film.guid)?.title,
            try await b.get(Film.self, guid: film.guid)?.title,
        ]
    }

    private func dispute() async throws {
        try await change(on: b) { $0.title = "theirs" }
        try await b.sync()
        try await change(on: a) { $0.title = "mine" }
    }

    @Test func allThreeSidesAreShown() async throws {
        try await dispute()
        let seen = Mutex<[Conflict<Film>]>([])
        a.onConflict(of: Film.self) { conflict in
            seen.withLock { $0.append(conflict) }
            return .useServer
        }
        try await a.sync()
        let conflict = try #require(seen.withLock { $0 }.first)
        #expect(conflict.client?.title == "mine" && conflict.server?.title == "theirs")
        #expect(conflict.base?.title == "old" && conflict.guid == film.guid)
        #expect(seen.withLock { $0.count } == 1)
    }

    @Test func clientWins() async throws {
        try await dispute()
        a.onConflict(of: Film.self) { _ in .useClient }
        #expect(try await titles() == ["mine", "mine"])
        #expect(try await a.conflicts(of: Film.self).isEmpty)
    }

    @Test func serverWins() async throws {
        try await dispute()
        a.onConflict(of: Film.self) { _ in .useServer }
        #expect(try await titles() == ["theirs", "theirs"])
        #expect(try await a.sync() == SyncSummary())
    }

    @Test func bothAreReplaced() async throws {
        try await dispute()
        a.onConflict(of: Film.self) { conflict in
            guard var film = conflict.server else { return .later }
            film.title += " and \(conflict.client?.title ?? "")"
            return .useMerged(film)
        }
        #expect(try await titles() == ["theirs and mine", "theirs and mine"])
    }

    @Test func conflictCanBePostponed() async throws {
        try await dispute()
        let answers = Mutex([ConflictDecision<Film>.later, .useClient])
        a.onConflict(of: Film.self) { _ in answers.withLock { $0.removeFirst() } }
        try await a.sync()
        #expect(try await a.get(Film.self, guid: film.guid)?.title == "mine", "it stays as it is")
        #expect(try await titles() == ["mine", "mine"])
    }

    @Test func syncStops() async throws {
        try await dispute()
        try await a.save(Film(title: "another"))
        a.onConflict(of: Film.self) { _ in .cancel }
        await #expect(throws: SyncFailure.cancelled) { try await a.sync() }
        #expect(try await a.get(Film.self, guid: film.guid)?.title == "mine")
        a.onConflict(of: Film.self) { _ in .useClient }
        #expect(try await titles() == ["mine", "mine"])
    }

    /// A sync can be cancelled at any moment, also while a conflict handler runs.
    @Test func cancelledSyncReportsIt() async throws {
        try await dispute()
        a.onConflict(of: Film.self) { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return .useClient
        }
        let sync = Task { [a] in try await a.sync() }
        await #expect(throws: SyncFailure.cancelled) { try await sync.value }
        #expect(try await a.get(Film.self, guid: film.guid)?.title == "mine")
        a.onConflict(of: Film.self) { _ in .useClient }
        #expect(try await titles() == ["mine", "mine"])
    }

    /// The server gets another change while the handler decides.
    @Test func handlerIsAskedAgain() async throws {
        try await dispute()
        let asked = Mutex(0)
        a.onConflict(of: Film.self) { [b, film] _ in
            let number = asked.withLock { number in
                number += 1
                return number
            }
            if number < 3, var theirs = try? await b.get(Film.self, guid: film.guid) {
                theirs.title = "theirs \(number)"
                _ = try? await b.save(theirs)
                _ = try? await b.sync()
            }
            return .useClient
        }
        #expect(try await titles() == ["mine", "mine"])
        #expect(asked.withLock { $0 } == 3)
    }

    @Test func singleHandlerServesAllModels() async throws {
        try await dispute()
        a.onConflict { (conflict: Conflict<RecordValues>) in
            conflict.model == "Film" ? .useClient : .later
        }
        #expect(try await titles() == ["mine", "mine"])
    }

    @Test func editDuringConflictIsKept() async throws {
        try await dispute()
        a.onConflict(of: Film.self) { [a, film] conflict in
            if var mine = try? await a.get(Film.self, guid: film.guid), mine.title == "mine" {
                mine.score = 5
                try? await a.save(mine)
            }
            return .useClient
        }
        #expect(try await titles() == ["mine", "mine"])
        #expect(try await b.get(Film.self, guid: film.guid)?.score == 5)
    }

    /// The edit is made while the change before it is in transit, which then is disputed.
    @Test func laterEditsAreResolvedSeparately() async throws {
        let detour = DetourWire(to: bench.wire)
        let a = try bench.database(on: "tablet", through: detour)
        try await a.logIn("a", password: "a")
        try await a.sync()
        try await change(on: b) { $0.title = "theirs" }
        try await b.sync()
        try await change(on: a) { $0.score = 3 }
        let asked = Mutex<[Int64?]>([])
        a.onConflict(of: Film.self) { conflict in
            asked.withLock { $0.append(conflict.client?.score) }
            return conflict.client?.title == "mine" ? .useServer : .useClient
        }
        detour.take { [film] request in
            guard var mine = try? await a.get(Film.self, guid: film.guid), mine.title == "old"
            else { return nil }
            mine.title = "mine"
            _ = try? await a.save(mine)
            return nil
        }
        try await a.sync()
        let stored = try await a.get(Film.self, guid: film.guid)
        #expect(stored?.title == "theirs", "nobody who knew it has replaced it")
        #expect(stored?.score == 3 && asked.withLock { $0 } == [3, 3])
    }

    @Test func changesAreAskedAboutInOrder() async throws {
        try await change(on: a) { $0.score = 3 }
        try await change(on: b) {
            $0.title = "theirs"
            $0.score = 5
        }
        try await b.sync()
        let asked = Mutex<[String?]>([])
        a.onConflict(of: Film.self) { conflict in
            asked.withLock { $0.append(conflict.client?.title) }
            return conflict.client?.title == "mine" ? .useClient : .useServer
        }
        bench.wire.next(.answerLost)
        await #expect(throws: SyncFailure.self) { try await a.sync() }
        try await change(on: a) { $0.title = "mine" }
        #expect(try await titles() == ["mine", "mine"])
        #expect(asked.withLock { $0 } == ["old", "mine"], "once each")
        #expect(try await b.get(Film.self, guid: film.guid)?.score == 5)
    }

    // MARK: - Where nobody is asked

    @Test func conflictIsMarkedListedAndResolved() async throws {
        try await dispute()
        #expect(try await a.sync().conflicted == 1)
        try await b.sync()
        for database in [a, b] {
            let conflict = try #require(try await database.conflicts(of: Film.self).first)
            #expect(conflict.record?.title == "theirs" && conflict.record?.isConflicted == true)
            let side = try #require(conflict.sides.first)
            #expect(side.mine?.title == "mine" && side.theirs?.title == "theirs")
            #expect(side.base?.title == "old" && side.login == "a")
        }
        var chosen = try #require(try await b.conflicts(of: Film.self).first?.sides.first?.mine)
        chosen.score = 4
        try await b.resolve(chosen)
        #expect(try await b.sync().accepted == 1)
        #expect(try await titles() == ["mine", "mine"])
        #expect(try await a.get(Film.self, guid: film.guid)?.score == 4)
        for database in [a, b] { #expect(try await database.conflicts(of: Film.self).isEmpty) }
    }
}
