import Foundation
import JSON
import SyncProtocol
import Testing

/// From an edit to production and back.
extension BrowserTests {
    private static let model = "ConflictsEntity"

    /// The story *Production change*: what breaks is told in the matrix, in Test, and for stored
    /// records; production needs its name and the password; an earlier version comes back.
    @Test(arguments: Person.Hand.allCases)
    func changeComesToProductionAndBack(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(environment: "production", hand: hand) { visit in
            var client = try visit.server.client("a")
            client.environment = "production"
            _ = try await client.sync(
                (1...12).map {
                    .create(
                        fresh(), of: Self.model,
                        ["title": .string("film \($0)"), "score": .integer(1)])
                })
            try await visit.design("Conflicts", on: "models")
            try await deployToTest(visit, accepting: false)
            try await breakRights(visit)
            try await requireField(visit)
            try await deployToTest(visit, accepting: true)
            try await bring("2", in: "1", to: visit) {
                try await visit.person.sees("12 records", in: "Version 2")
            }
            try await bring("1", in: "2", to: visit) {
                try await visit.person.sees("'users-mobile' may now delete", in: "Version 1")
            }
        }
    }

    private func breakRights(_ visit: ConsoleVisit) async throws {
        try await visit.browser.open("/console/rights")
        try await visit.sees("ConflictsEntity, users-mobile, delete: all")
        switch visit.person.hand {
        case .mouse:
            try await visit.browser.script("document.querySelectorAll('td.letter')[3].click()")
            try await visit.person.press("None", in: "Level of the chosen cells")
        case .keyboard:
            try await visit.person.tab(to: "td.letter")
            for _ in 1...3 { try await visit.browser.press(.right) }
            try await visit.browser.type("n")
        }
        try await visit.person.sees(
            "■ breaking: 'users-mobile' may no longer delete", in: "Compared with Test")
    }

    private func requireField(_ visit: ConsoleVisit) async throws {
        let person = visit.person
        try await visit.browser.open("/console/models")
        try await person.press("New field")
        try await person.fill("name", with: "status", in: "Field field1")
        try await person.leaveField()
        try await person.press("required", in: "Field status")
        try await person.sees("saved", in: "Draft")
    }

    private func deployToTest(_ visit: ConsoleVisit, accepting isRisky: Bool) async throws {
        let (person, dialog) = (visit.person, "Deploy to test")
        try await person.press("Deploy to Test")
        try await person.sees(
            isRisky ? "'users-mobile' may no longer delete" : "This is the first deployment",
            in: dialog)
        while let box = try await nextBox(visit.browser, in: dialog) {
            try await person.press(box, in: dialog)
        }
        try await person.press("Deploy", in: dialog)
        try await visit.browser.wait(for: "location.pathname === '/console/in/test/overview'")
        try await visit.browser.open("/console/models")
        try await person.sees("saved", in: "Draft")
    }

    /// Deploys a version in place of another one, once `look` has seen what would change.
    private func bring(
        _ version: String, in place: String, to visit: ConsoleVisit,
        after look: () async throws -> Void
    ) async throws {
        let (person, browser) = (visit.person, visit.browser)
        try await visit.confirm()
        try await browser.open("/console/")
        try await browser.wait(for: "isRead()")
        try await person.press("Use")
        try await browser.wait(for: "location.pathname === '/console/in/production/overview'")
        try await person.press("Deployments")
        if version == "1" {
            try await person.press("Go back to version 1")
        } else {
            try await person.press("Try it without deploying")
        }
        let plan = "Version \(version)"
        try await person.sees("Version \(version) in place of \(place)", in: plan)
        try await look()
        while let box = try await nextBox(browser, in: plan) {
            try await person.press(box, in: plan)
        }
        try await endConfirmation(visit)
        try await person.press("Deploy version \(version) to production")
        let dialog = "Deploy version \(version) to production?"
        try await person.fill("Type production to confirm", with: "production", in: dialog)
        try await person.press("Deploy", in: dialog)
        try await visit.givePassword()
        try await browser.wait(for: "!document.querySelector('dialog')")
        try await browser.wait(
            for: "button(given[0], null)", .string("Go back to version \(place)"))
        let environment = try await visit.server.admin(
            "GET", "environments/production", as: try await visit.server.adminSession("ann"))
        #expect(try environment.member("version")?.text == version)
    }

    /// Nobody deploys to a locked environment in the console until it is opened.
    @Test(arguments: Person.Hand.allCases)
    func environmentIsLockedAndOpened(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            try await importVersion(
                visit, changing: #"maxValue">5<"#, to: #"maxValue">6<"#)
            try await visit.confirm()
            try await visit.open("deployments")
            try await person.press("Lock it")
            try await person.press("Lock", in: "Lock test?")
            try await person.sees("Locked: only a token with the scope deployer deploys here.")
            try await person.press("Try it without deploying")
            try await person.sees("■ It would be refused: the environment is locked")
            try await person.press("Open it")
            try await person.press("Open", in: "Open test?")
            try await person.sees("Open: designers deploy here.")
            try await person.press("Try it without deploying")
            try await person.press("Deploy version 2 to test")
            try await person.press("Deploy", in: "Deploy version 2 to test?")
            try await visit.browser.wait(for: "button('Go back to version 1', null)")
        }
    }
}

extension ConsoleVisit {
    /// As if the password had been given just now.
    func confirm() async throws {
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        try await server.site.sql("UPDATE operator_sessions SET confirmed_at = \(now)")
    }

    /// Gives the password that a page asks for again.
    func givePassword() async throws {
        let dialog = "Your password, please"
        try await person.fill("Password", with: "password of ann", in: dialog)
        try await person.press("Continue", in: dialog)
    }
}
