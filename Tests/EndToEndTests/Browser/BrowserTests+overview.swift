import JSON
import Testing

/// The first page of an environment, and pages of its records.
extension BrowserTests {
    /// Numbers lead to what they count, and models to their records.
    @Test(arguments: Person.Hand.allCases)
    func overviewLeadsOn(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, browser, server) = (visit.person, visit.browser, visit.server)
            let guids = try await server.create(
                "ConflictsEntity",
                ["Mirror", "Ivan"].map { ["title": .string($0), "score": 1] })
            try await server.disagree(on: guids[0], a: 4, b: 5)
            try await visit.open("overview")
            try await person.sees("conflicts by waggle, version 1")
            try await browser.wait(
                for: "[...document.querySelectorAll('.numbers dd')]"
                    + ".map((each) => words(each.textContent)).join() === '2,▲ 1'")
            try await person.press("ConflictsEntity", in: "Models")
            try await browser.wait(for: "location.pathname === '/console/in/test/records'")
            try await person.sees("2 here")
            try await visit.open("overview")
            try await person.press("Open conflicts")
            try await browser.wait(for: "location.pathname === '/console/in/test/conflicts'")
            try await person.sees("closes 1 conflict")
        }
    }

    /// More records than a page has. The place in the list is in the address.
    @Test(arguments: Person.Hand.allCases)
    func recordsHavePages(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            _ = try await visit.server.create(
                "ConflictsEntity",
                (1...51).map { ["title": .string("film \($0)"), "score": 1] })
            try await visit.open("records")
            try await person.sees("50 here, and more")
            try await person.press("Next page")
            try await person.sees("1 here")
            try await person.losesSight(of: "and more")
            try await person.press("First page")
            try await person.sees("50 here, and more")
            try await visit.browser.script("history.back()")
            try await person.losesSight(of: "and more")
            try await person.sees("1 here")
        }
    }
}
