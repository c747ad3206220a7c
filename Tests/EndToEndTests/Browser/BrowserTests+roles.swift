import JSON
import Testing

/// Edits that concern all rights of a role, and what its users gain and lose against Test.
extension BrowserTests {
    /// *Conflicts* with a second role, which has no right.
    private func definitionWithSecondRole() throws -> String {
        try definition("Conflicts")
            .changing("</devices>", to: #"<device name="web"/></devices>"#)
            .changing("</roles>", to: #"<role group="users" device="web"/></roles>"#)
    }

    @Test(arguments: Person.Hand.allCases)
    func roleGetsAllRightsOrThoseOfAnother(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            try await visit.begin(with: try definitionWithSecondRole())
            try await visit.browser.open("/console/rights")
            try await visit.sees("ConflictsEntity, users-web, create: none")
            try await person.press("users-web", in: "Rights")
            try await person.press("As users-mobile", in: "Rights")
            try await visit.sees("ConflictsEntity, users-web, create: all")
            try await visit.sees("score, users-web, update: all")
            try await person.press("users-web", in: "Rights")
            try await person.press("No rights", in: "Rights")
            try await visit.sees("score, users-web, update: none")
            try await person.press("users-web", in: "Rights")
            try await person.press("All rights", in: "Rights")
            for name in ["ConflictsEntity, users-web, delete", "score, users-web, update"] {
                try await visit.sees("\(name): all")
            }
        }
    }

    /// A role that is new gains, and one that Test has loses: the panel tells both.
    @Test(arguments: Person.Hand.allCases)
    func gainAndLossAreComparedWithTest(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, panel) = (visit.person, "Compared with Test")
            try await visit.begin(with: try definitionWithSecondRole())
            try await visit.browser.open("/console/rights")
            try await person.sees("Nobody gains or loses a right.", in: panel)
            try await person.press("users-web", in: "Rights")
            try await person.press("As users-mobile", in: "Rights")
            try await person.sees("'users-web' may now create, read, update and delete", in: panel)
            try await person.press("users-mobile", in: "Rights")
            try await person.press("No rights", in: "Rights")
            try await person.sees("■ breaking: 'users-mobile' may no longer", in: panel)
        }
    }
}

extension ConsoleVisit {
    /// Waits for a cell of the matrix by the beginning of its name.
    func sees(_ cell: String) async throws {
        try await browser.wait(
            for: "[...document.querySelectorAll('td.letter')].some((each) => "
                + "each.getAttribute('aria-label').startsWith(given[0]))", .string(cell))
    }
}
