import Foundation
import Testing

extension BrowserTests {
    @Test(arguments: Person.Hand.allCases)
    func operatorsAndTokensAreAdministered(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, browser) = (visit.person, visit.browser)
            try await browser.open("/console/operators")
            try await person.press("Add operator")
            try await person.fill("Name", with: "ben", in: "Add operator")
            try await person.fill("Their password", with: "password of ben", in: "Add operator")
            try await person.choose("keeper", of: "Scope", in: "Add operator")
            try await person.press("Add", in: "Add operator")
            try await person.sees("ben", in: "Operators")
            _ = try await visit.server.adminSession("ben")

            try await browser.open("/console/tokens")
            try await person.press("Make token")
            try await person.press("Make", in: "Make token")
            try await person.sees("it is not shown again")
            let secret = try await browser.wait(for: "field('Token', 'Token ci').value").string
            let answer = try await visit.server.admin(
                "GET", "versions", as: .token(try #require(secret)))
            #expect(answer.status == 200)
            try await person.press("Done", in: "Token ci")
            try await endConfirmation(visit)
            try await person.press("End ci")
            try await person.press("End it", in: "End the token ci?")
            try await visit.givePassword()
            try await person.sees("No tokens")

            try await browser.open("/console/activity")
            for act in ["addOperator", "addToken", "revokeToken"] { try await person.sees(act) }
        }
    }

    /// More acts than a page has, with what they changed.
    @Test(arguments: Person.Hand.allCases)
    func activityIsReadToItsBeginning(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, browser) = (visit.person, visit.browser)
            let now = Int64(Date().timeIntervalSince1970 * 1000)
            try await visit.server.site.sql(
                """
                WITH RECURSIVE numbers (n) AS (
                    SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 120)
                INSERT INTO activities (at, actor, origin, act, environment_name, target,
                    before_text, after_text)
                SELECT \(now) + n, 'tess', '127.0.0.1', 'addUser', 'test', 'user' || n,
                    '', 'group ' || n
                FROM numbers
                """)
            try await browser.open("/console/activity")
            try await person.sees("user120", in: "Activity")
            try await person.losesSight(of: "group 120")
            try await person.press("values")
            try await person.sees("after group 120", in: "Activity")
            try await person.press("Earlier")
            try await browser.wait(
                for: "document.querySelectorAll('tbody tr').length > 120 "
                    + "&& !button('Earlier', null)")
        }
    }

    /// The lines do what the page did, in a shell with a token, and hold no password.
    @Test(arguments: Person.Hand.allCases)
    func requestsAreShownAsCurl(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, server) = (visit.person, visit.server)
            try await visit.open("users")
            try await person.press("Add user")
            try await person.fill("Login", with: "cleo", in: "Add user")
            try await person.fill("Mail", with: "o'hara@example.org", in: "Add user")
            try await person.fill("Password", with: "a long password", in: "Add user")
            try await person.press("Add", in: "Add user")
            try await person.sees("3 users")
            let user = "environments/test/users"
            // The next page shows this request too.
            try await visit.open("files")
            try await person.press("Operator ann")
            try await person.press("Requests as curl")
            try await person.sees("POST \(user)", in: "Requests as curl")
            try await person.sees("GET environments/test/files", in: "Requests as curl")
            let lines = try await visit.browser.script(
                "return [...document.querySelectorAll('dialog pre')].map((e) => e.textContent)"
            ).elements.compactMap(\.string)
            try await visit.picture("requests-as-curl")
            let line = try #require(lines.first { $0.contains("-X POST") && $0.contains(user) })
            #expect(!line.contains("a long password"))
            let designer = try await server.operatorSession("tess", "designer")
            let token = try await server.adminToken("keeper", as: designer).secret
            let added = try await Program(
                path: "/bin/sh", arguments: ["-c", line.replacing("cleo", with: "dora")],
                environment: [
                    "WAGGLE_TOKEN": String(token.headers["Authorization"]?.dropFirst(7) ?? "")
                ], folder: server.site.folder
            ).run()
            #expect(added.output.contains("o'hara@example.org"), "\(added)")
            _ = try await server.signIn("dora", password: "PASSWORD")
        }
    }

    /// A keeper sees no operators, and a viewer no records.
    @Test(arguments: [
        ("keeper", "/console/operators", "Only designers see the operators."),
        ("keeper", "/console/tokens", "Only designers see the tokens."),
        ("viewer", "/console/in/test/overview", "Only keepers and designers see records"),
        ("viewer", "/console/in/test/records", "Only keepers and designers see records."),
        ("viewer", "/console/in/test/conflicts", "Only keepers and designers see conflicts."),
        ("viewer", "/console/in/test/users", "Only keepers and designers see users."),
        ("viewer", "/console/in/test/devices", "Only keepers and designers see devices."),
        ("viewer", "/console/in/test/phones", "Phone 2"),
    ])
    func pagesSayWhoSeesThem(scope: String, path: String, text: String) async throws {
        try await ConsoleVisit.run(scope: scope) { visit in
            try await visit.browser.open(path)
            try await visit.person.sees(text)
        }
    }

    @Test(arguments: Person.Hand.allCases)
    func rightsAreExplained(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(definition: "Permissions", hand: hand) { visit in
            try await visit.open("explain")
            try await visit.person.choose("director", of: "Field")
            try await visit.person.choose("of another user", of: "The record is")
            try await visit.person.press("Explain")
            try await visit.person.sees("No", in: "Answer")
            try await visit.person.sees("application.xml, line 30", in: "Answer")
        }
    }
}
