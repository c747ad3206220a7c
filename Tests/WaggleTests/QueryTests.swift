import JSON
import SyncProtocol
import Testing

@testable import Waggle

@Suite("Conditions read as they are meant")
struct QueryTests {
    @Test(
        arguments: [
            (
                Query<Film>().where(\.score >= 3),
                .comparison(.field("score"), .greaterOrEqual, .value(3))
            ),
            (
                Query<Film>().where(\.director == "Lem"),
                .comparison(.field("director"), .equal, .value("Lem"))
            ),
            (Query<Film>().where(\.director == nil), .isNull(.field("director"))),
            (
                Query<Film>().where(\.owner == \.title),
                .comparison(.owner, .equal, .property(.field("title")))
            ),
            (
                Query<Film>().where(!Condition(\.title, .hasPrefix("S"))),
                .not(.text(.field("title"), .prefix, "S"))
            ),
            (
                Query<Film>().where(\.isConflicted == true),
                .comparison(.isConflicted, .equal, .value(.boolean(true)))
            ),
        ] as [(Query<Film>, Predicate)])
    func conditionIsPredicate(query: Query<Film>, predicate: Predicate) {
        #expect(query.predicates == [predicate])
    }

    /// As generated code finds the records that others join with one.
    @Test func recordsAreFoundByThoseThatNameThem() async throws {
        let bench = try await DeviceBench()
        let database = try await bench.loggedIn("a")
        let studios = ["Mosfilm", "Orion", "Toho"].map { Studio(name: $0) }
        for studio in studios { try await database.save(studio) }
        for (number, (title, score)) in [("a", 1), ("b", 5), ("c", 4)].enumerated() {
            var film = Film(title: title)
            film.score = Int64(score)
            film.studio = studios[number / 2].reference
            try await database.save(film)
        }
        try await database.save(Film(title: "of none"))
        func names(_ films: Query<Film>) -> Condition<Studio> {
            .isNamed(by: \Film.studio, of: films)
        }
        for (condition, expected) in [
            (names(Query()), ["Mosfilm", "Orion"]),
            (names(Query().where(\.score >= 4)), ["Mosfilm", "Orion"]),
            (names(Query().where(\.score < 4)), ["Mosfilm"]),
            (names(Query().order(byDescending: \.title).limit(to: 1)), []),
            (names(Query().order(byDescending: \.score).skip(1).limit(to: 1)), ["Orion"]),
            (!names(Query()), ["Toho"]),
            (names(Query().where(\.score >= 4)) && \.name != "Orion", ["Mosfilm"]),
            (.isNamed(by: \Film.studio, of: Query().where(\.title == "b")), ["Mosfilm"]),
        ] as [(Condition<Studio>, [String])] {
            let found = database.find(Studio.self).where(condition).order(by: \.name)
            #expect(try await found.all().map(\.name) == expected)
            #expect(try await found.count() == expected.count)
        }
    }
}
