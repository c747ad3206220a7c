import JSON
import SyncProtocol
import Testing

/// A page tells what others change, also after the session has ended.
extension BrowserTests {
    /// The list of pages counts open conflicts, whoever makes and resolves them.
    @Test func conflictsAreCountedInRail() async throws {
        try await ConsoleVisit.run { visit in
            let (browser, server) = (visit.browser, visit.server)
            let guids = try await server.create(
                "ConflictsEntity", (1...2).map { ["title": .string("film \($0)"), "score": 1] })
            try await visit.open("overview")
            try await browser.wait(for: "button('Conflicts', 'Pages')")
            for (guid, name) in zip(guids, ["Conflicts (1)", "Conflicts (2)"]) {
                try await server.disagree(on: guid, a: 4, b: 5)
                try await browser.wait(for: "button(given[0], 'Pages')", .string(name))
            }
            try await server.client("a").push(
                .resolve(guids[0], of: "ConflictsEntity", from: 3, [:]))
            try await browser.wait(for: "button('Conflicts (1)', 'Pages')")
            // A page that counts does not keep its session.
            try await server.site.sql("UPDATE operator_sessions SET used_at = used_at - 3600000")
            let used = try await server.site.sql("SELECT max(used_at) FROM operator_sessions")
            try await server.client("a").push(
                .resolve(guids[1], of: "ConflictsEntity", from: 3, [:]))
            try await browser.wait(for: "button('Conflicts', 'Pages')")
            #expect(
                try await server.site.sql("SELECT max(used_at) FROM operator_sessions") == used)
        }
    }

    /// A viewer sees no records, and no number of conflicts.
    @Test func viewersCountNothing() async throws {
        try await ConsoleVisit.run(scope: "viewer") { visit in
            let guid = try await visit.server.create(
                "ConflictsEntity", [["title": "film", "score": 1]])[0]
            try await visit.server.disagree(on: guid, a: 4, b: 5)
            try await visit.open("overview")
            let asked = try await visit.browser.script(
                "return performance.getEntriesByType('resource').map((each) => each.name)"
                    + ".filter((name) => name.endsWith('/conflicts/count')).length")
            #expect(asked == .integer(0))
            try await visit.browser.wait(for: "button('Conflicts', 'Pages')")
        }
    }

    /// A person who gave up to sign in hears of changes again after a sign-in in another tab.
    @Test func givenUpListenerHearsAfterSignIn() async throws {
        try await ConsoleVisit.run { visit in
            let person = visit.person
            try await visit.open("records")
            try await visit.server.site.sql("DELETE FROM operator_sessions")
            try await person.press("Cancel", in: "Sign in again")
            try await visit.browser.wait(for: "!document.querySelector('dialog')")
            try await visit.withSecondTab { other in
                try await other.signIn()
                _ = try await visit.server.create(
                    "ConflictsEntity", [["title": "Ivan", "score": 1]])
                try await person.sees("1 newer change.")
            }
        }
    }

    /// A tab that nobody sees leaves the question to the one that somebody sees, and both hear.
    @Test func hiddenTabAsksNobody() async throws {
        try await ConsoleVisit.run { visit in
            let person = visit.person
            try await visit.open("records")
            _ = try await visit.server.create("ConflictsEntity", [["title": "Ivan", "score": 1]])
            try await person.sees("1 newer change.")
            try await visit.withSecondTab { other in
                try await other.open("records")
                try await visit.browser.script(
                    "Object.defineProperty(document, 'hidden', { get: () => true })")
                try await visit.server.site.sql("DELETE FROM operator_sessions")
                try await other.person.fill(
                    "Password", with: "password of ann", in: "Sign in again")
                let asked = try await visit.browser.script(
                    "return document.querySelectorAll('dialog').length")
                #expect(asked == .integer(0))
                try await other.person.press("Sign in", in: "Sign in again")
                try await other.browser.wait(for: "!document.querySelector('dialog')")
                _ = try await visit.server.create(
                    "ConflictsEntity", [["title": "Mirror", "score": 1]])
                try await other.person.sees("1 newer change.")
                try await person.sees("2 newer changes.")
            }
        }
    }

    /// The question of one tab ends when the operator signs in in another one.
    @Test func questionEndsWithSignInElsewhere() async throws {
        try await ConsoleVisit.run { visit in
            let person = visit.person
            try await visit.open("users")
            try await person.press("Add user")
            try await person.fill("Login", with: "cleo", in: "Add user")
            try await person.fill("Password", with: "a long password", in: "Add user")
            try await visit.browser.deleteCookies()
            try await person.press("Add", in: "Add user")
            try await person.sees("What you typed is still here")
            try await visit.withSecondTab { other in
                try await other.signIn()
                try await person.sees("3 users")
            }
        }
    }
}

extension ConsoleVisit {
    /// Runs `body` with another tab of the same browser.
    fileprivate func withSecondTab(
        _ body: (ConsoleVisit) async throws -> Void
    ) async throws {
        try await browser.withSecondTab { tab in
            try await body(
                ConsoleVisit(
                    server: server, browser: tab, person: Person(browser: tab, hand: .mouse)))
            let messages = try await tab.messages()
            #expect(messages == [])
        }
    }
}
