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
}
