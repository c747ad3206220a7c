import DefinitionModel
import Testing

@testable import Waggle

/// The director of a film is hidden from `b`, who may change it.
@Suite("A hidden field is set to null by every edit that does so", .timeLimit(.minutes(5)))
struct HiddenNullTests {
    private struct Scene {
        let a: Waggle.Database
        let b: Waggle.Database
        let film = Film(title: "old", director: "Tarkovsky")

        init(_ mode: ConflictMode = .manual) async throws {
            let document = try films(mode)
                .replacing(#"updateAllowed="OWN""#, with: #"updateAllowed="ALL""#)
            let bench = try await DeviceBench(document)
            a = try await bench.loggedIn("a")
            b = try await bench.loggedIn("b")
            try await a.save(film)
            try await a.sync()
            try await b.sync()
        }

        func film(on database: Waggle.Database) async throws -> Film {
            try #require(try await database.get(Film.self, guid: film.guid))
        }

        func edit(
            on database: Waggle.Database, _ change: (inout Film) -> Void
        ) async throws {
            var film = try await film(on: database)
            change(&film)
            try await database.save(film)
        }

        /// `b` edits the film, which `a` has changed or removed since.
        func dispute(removing: Bool = false) async throws {
            if removing {
                try await a.remove(try await film(on: a))
            } else {
                try await edit(on: a) { $0.title = "theirs" }
            }
            try await a.sync()
            try await edit(on: b) { $0.title = "mine" }
        }

        func expectNull() async throws {
            #expect(try await film(on: b).director == .null, "it waits")
            try await expectNullAfterSync()
        }

        func expectNullAfterSync() async throws {
            #expect(try await b.sync().refused == 0)
            #expect(try await film(on: b).director == .hidden)
            try await a.sync()
            #expect(try await film(on: a).director == .null)
        }
    }

    @Test func saved() async throws {
        let scene = try await Scene()
        #expect(try await scene.film(on: scene.b).director == .hidden)
        try await scene.edit(on: scene.b) { $0.director = .null }
        try await scene.expectNull()
    }

    @Test func savedAgainAfterRemoval() async throws {
        let scene = try await Scene()
        var film = try await scene.film(on: scene.b)
        try await scene.b.remove(film)
        film.director = .null
        try await scene.b.save(film)
        try await scene.expectNull()
    }

    @Test func resolved() async throws {
        let scene = try await Scene()
        try await scene.dispute()
        try await scene.b.sync()
        let conflict = try #require(try await scene.b.conflicts(of: Film.self).first)
        var film = try #require(conflict.record)
        #expect(film.title == "theirs" && film.director == .hidden)
        film.director = .null
        try await scene.b.resolve(film)
        try await scene.expectNull()
        #expect(try await scene.b.conflicts(of: Film.self).isEmpty)
    }

    @Test func merged() async throws {
        let scene = try await Scene()
        try await scene.dispute()
        scene.b.onConflict(of: Film.self) { conflict in
            guard var film = conflict.server else { return .cancel }
            film.director = .null
            return .useMerged(film)
        }
        try await scene.expectNullAfterSync()
        #expect(try await scene.film(on: scene.a).title == "theirs")
    }

    @Test func mergedWithRemovedRecord() async throws {
        let scene = try await Scene(.overwrite)
        try await scene.dispute(removing: true)
        scene.b.onConflict(of: Film.self) { conflict in
            guard var film = conflict.client, conflict.server == nil else { return .cancel }
            film.title = "old"
            film.director = .null
            return .useMerged(film)
        }
        try await scene.expectNullAfterSync()
        #expect(try await scene.film(on: scene.a).title == "old")
    }
}
