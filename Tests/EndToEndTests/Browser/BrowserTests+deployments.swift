import Foundation
import JSON
import Testing

extension BrowserTests {
    /// In production an operator types the name of the environment, and the password again.
    @Test(arguments: Person.Hand.allCases)
    func versionIsDeployedAfterDryRun(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(environment: "production", hand: hand) { visit in
            let person = visit.person
            try await importVersion(visit, changing: #"type="INTEGER""#, to: #"type="DECIMAL""#)
            try await visit.open("deployments", of: "production")
            try await person.press("Try it without deploying")
            try await person.sees("breaking")
            try await person.press(
                "Accept: 'score' of 'ConflictsEntity' is of the type DECIMAL, and was INTEGER; "
                    + "clients: unless they name their version, they cannot use the values they "
                    + "get; those that do read a number with a fraction as null (0 records)")
            try await endConfirmation(visit)
            try await person.press("Deploy version 2 to production")
            let dialog = "Deploy version 2 to production?"
            try await person.fill("Type production to confirm", with: "production", in: dialog)
            try await person.press("Deploy", in: dialog)
            try await visit.givePassword()
            try await person.sees("Go back to it")
            let environment = try await visit.server.admin(
                "GET", "environments/production", as: try await visit.server.adminSession("ann"))
            #expect(try environment.member("version") == .integer(2))
        }
    }

    /// Nobody deploys over a version that the operator has not seen.
    @Test func deploymentNeedsVersionThatWasSeen() async throws {
        try await ConsoleVisit.run { visit in
            let person = visit.person
            try await importVersion(visit, changing: "One to five", to: "From one to five")
            try await importVersion(
                visit, changing: #"defaultValue="1""#, to: #"defaultValue="2""#)
            try await visit.open("deployments")
            try await person.press("Try it without deploying")
            try await person.press("Deploy version 3 to test")
            let session = try await visit.server.adminSession("ann")
            let text = try definition("Conflicts").changing(
                #"defaultValue="1""#, to: #"defaultValue="3""#)
            let deployed = try await visit.server.admin(
                "POST", "environments/test/deployments",
                JSONValue.object(["xml": .string(text)]).text, as: session)
            #expect(deployed.status == 200, "\(deployed.text)")
            try await person.press("Deploy", in: "Deploy version 3 to test?")
            try await person.sees("fingerprintStale")
        }
    }

    /// A risk for what is stored is accepted in the dialog, or met by a value.
    @Test(arguments: [true, false], Person.Hand.allCases)
    func riskyChangeIsDeployedToTest(isFilled: Bool, hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, browser) = (visit.person, visit.browser)
            _ = try await visit.server.create(
                "ConflictsEntity", [["title": "Ivan", "score": 5]])
            try await visit.design("Conflicts", on: "models")
            try await person.fill("to", with: "3", in: "Field score")
            try await person.leaveField()
            try await person.sees("✓ checked", in: "Draft")
            try await person.press("Deploy to Test")
            let dialog = "Deploy to test"
            try await person.sees("■ breaking: ", in: dialog)
            try await browser.wait(
                for: "[...area(given[0]).querySelectorAll('button')].some((e) => "
                    + "e.textContent === 'Deploy' && e.disabled)", .string(dialog))
            if isFilled {
                try await person.choose(
                    "this value", of: "ConflictsEntity.score", in: dialog)
                try await person.fill("Value of ConflictsEntity.score", with: "3", in: dialog)
                try await person.press("Try it with these values", in: dialog)
                try await person.sees("✓ 1 records get a value in ConflictsEntity.score.")
            }
            while let box = try await nextBox(browser, in: dialog) {
                try await person.press(box, in: dialog)
            }
            try await person.press("Deploy", in: dialog)
            try await browser.wait(for: "location.pathname === '/console/in/test/overview'")
            try await person.sees("version 2")
        }
    }

    /// The edit that is still under way is deployed with the others, and open conflicts are told.
    @Test func deploymentHasLastEdit() async throws {
        try await ConsoleVisit.run { visit in
            let (person, server) = (visit.person, visit.server)
            let guid = try await server.create(
                "ConflictsEntity", [["title": "Ivan", "score": 1]])[0]
            try await server.disagree(on: guid, a: 4, b: 5)
            try await visit.design("Conflicts", on: "models")
            try await visit.holdRequests(of: "edit")
            try await person.press("unique", in: "Field title")
            try await visit.browser.wait(for: "globalThis.held > 0")
            try await person.press("Deploy to Test")
            try await visit.browser.script("setTimeout(release, 500)")
            let dialog = "Deploy to test"
            try await person.sees("'title' of 'ConflictsEntity'", in: dialog)
            try await person.sees("▲ ConflictsEntity has 1 open conflict.", in: dialog)
        }
    }

    /// The name of the next risk that is not accepted; nil if all are.
    func nextBox(_ browser: Browser, in dialog: String) async throws -> String? {
        try await browser.script(
            "const box = area(given[0]).querySelector('input[type=checkbox]:not(:checked)');"
                + "return box && nameOf(box)", .string(dialog)
        ).string
    }

    /// Rights change nothing of records, and yet somebody gains or loses them.
    @Test(arguments: Person.Hand.allCases)
    func dryRunTellsOfRights(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            try await importVersion(
                visit, changing: #"deleteAllowed="ALL""#, to: #"deleteAllowed="OWN""#)
            try await visit.open("deployments")
            try await visit.person.press("Try it without deploying")
            try await visit.person.sees("'users-mobile'", in: "Version 2")
            try await visit.person.press("Leave it")
            try await visit.person.losesSight(of: "Version 2 in place of 1")
        }
    }

    /// The first version of production, without a shell.
    @Test(arguments: Person.Hand.allCases)
    func environmentIsMadeByDeployment(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            try await visit.browser.wait(for: "isRead()")
            try await person.press("Use")
            try await person.press("Deploy version 1")
            try await person.press("Try it without deploying", in: "Deploy version 1 to…")
            let dialog = "Deploy to production"
            try await person.sees("This is the first deployment: 1 model is new.", in: dialog)
            try await person.fill("Type production to confirm", with: "production", in: dialog)
            try await person.press("Deploy", in: dialog)
            try await visit.browser.wait(
                for: "location.pathname === '/console/in/production/overview'")
            try await person.sees("version 1")
        }
    }

    /// The version of each environment, and production marked as in the bar.
    @Test(arguments: Person.Hand.allCases)
    func versionsTellWhereTheyAreServed(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(environment: "production", hand: hand) { visit in
            let (person, browser) = (visit.person, visit.browser)
            for value in 2...3 { try await importVersion(visit, withDefault: value) }
            try await visit.server.deploy([2], to: "test")
            try await browser.open("/console/versions")
            try await browser.wait(
                for: "[...document.querySelectorAll('tbody tr')].map((row) => "
                    + "words(row.cells[1].innerText)).join() === ',test,production'")
            try await browser.wait(
                for: "document.querySelector('main .use')?.innerText === 'production'")
            try await person.press("production", in: "Versions")
            try await browser.wait(
                for: "location.pathname === '/console/in/production/overview'")
            try await browser.open("/console/versions")
            try await person.press("Text of version 2")
            try await browser.wait(
                for: "field('Version 2 as XML', null)?.value.includes('defaultValue=\"2\"')")
        }
    }

    /// More than a page has, as on other pages.
    @Test(arguments: Person.Hand.allCases)
    func deploymentsAreReadToTheirBeginning(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            try await importVersion(visit, withDefault: 2)
            try await visit.server.deploy((1...101).map { 1 + $0 % 2 }, to: "test")
            try await visit.open("deployments")
            try await visit.browser.wait(
                for: "document.querySelectorAll('tbody tr').length === 100")
            try await visit.person.press("Earlier")
            try await visit.browser.wait(
                for: "document.querySelectorAll('tbody tr').length === 102 "
                    + "&& !button('Earlier', null)")
        }
    }

    /// More than a page has. The versions that are chosen for a comparison stay chosen.
    @Test func earlierVersionsAreAdded() async throws {
        try await ConsoleVisit.run { visit in
            let session = try await visit.server.adminSession("ann")
            for number in 1...200 {
                let xml = try definition("Conflicts").changing("One to five", to: "\(number)")
                let answer = try await visit.server.admin(
                    "POST", "versions", JSONValue.object(["xml": .string(xml)]).text, as: session)
                #expect(answer.status == 201, "\(answer.text)")
            }
            try await visit.browser.open("/console/versions")
            try await visit.browser.wait(
                for: "document.querySelectorAll('tbody tr').length === 200")
            try await chooseVersion("150", visit)
            try await visit.person.press("Earlier")
            try await visit.browser.wait(
                for: "document.querySelectorAll('tbody tr').length === 201 "
                    + "&& field('From', null).value === '150'")
            // The list begins anew after a label.
            try await chooseVersion("1", visit)
            try await visit.person.press("Label version 201")
            try await visit.person.fill("Tag", with: "spring", in: "Version 201")
            try await visit.person.press("Save", in: "Version 201")
            try await visit.browser.wait(
                for: "document.querySelectorAll('tbody tr').length === 200 "
                    + "&& field('From', null).value === '1'")
        }
    }

    /// Chooses what is compared. Many options begin with the same letters.
    private func chooseVersion(_ number: String, _ visit: ConsoleVisit) async throws {
        try await visit.browser.wait(
            for: """
                (field('From', null).focus(), field('From', null).value = given[0],
                field('From', null).value === given[0])
                """, .string(number))
    }

    private func importVersion(_ visit: ConsoleVisit, withDefault value: Int) async throws {
        try await importVersion(
            visit, changing: #"defaultValue="1""#, to: "defaultValue=\"\(value)\"")
    }

    /// The pages that deploy tell the same of a dry run: the reasons, and what becomes of clients.
    @Test(arguments: ["versions", "deployments"], Person.Hand.allCases)
    func dryRunTellsReasonsAndClients(page: String, hand: Person.Hand) async throws {
        let site = try await Site(prepared: "Conflicts", isAdministered: true)
        let first = try await RunningServer(site: site, processes: 1)
        _ = try await first.create("ConflictsEntity", [["title": "Ivan", "score": 1]])
        #expect(await first.stop() == 0, "what was seen of clients is stored at the end")
        let server = try await RunningServer(site: site, processes: 1)
        try await ConsoleVisit.run(on: server, hand: hand) { visit in
            let person = visit.person
            try await importVersion(
                visit,
                changing: #"name="score" type="INTEGER" required="true" defaultValue="1""#,
                to: #"name="mark" type="INTEGER" required="true""#)
            let area: String
            if page == "versions" {
                try await visit.browser.open("/console/versions")
                try await person.press("Deploy version 2")
                let dialog = "Deploy version 2 to…"
                try await person.fill("Environment", with: "test", in: dialog)
                try await person.press("Try it without deploying", in: dialog)
                area = "Deploy to test"
            } else {
                try await visit.open("deployments")
                try await person.press("Try it without deploying")
                area = "Version 2"
            }
            for text in [
                "■ breaking: ", "records: breaking, ", "clients: breaking, ",
                "must be updated to create records, because of ConflictsEntity.mark",
                "It takes effect at once, for everybody.",
            ] { try await person.sees(text, in: area) }
        }
    }

    func importVersion(
        _ visit: ConsoleVisit, changing old: String, to new: String
    ) async throws {
        let xml = try definition("Conflicts").changing(old, to: new)
        let answer = try await visit.server.admin(
            "POST", "versions", JSONValue.object(["xml": .string(xml)]).text,
            as: try await visit.server.adminSession("ann"))
        #expect(answer.status == 201, "\(answer.text)")
    }

    /// As if the password had been given longer ago than it counts.
    func endConfirmation(_ visit: ConsoleVisit) async throws {
        try await visit.server.site.sql("UPDATE operator_sessions SET confirmed_at = 0")
    }
}

extension RunningServer {
    /// Deploys versions one after the other.
    fileprivate func deploy(_ versions: [Int], to environment: String) async throws {
        let session = try await adminSession("ann")
        for version in versions {
            let answer = try await admin(
                "POST", "environments/\(environment)/deployments", "{\"version\":\(version)}",
                as: session)
            #expect(answer.status == 200, "\(answer.text)")
        }
    }
}
