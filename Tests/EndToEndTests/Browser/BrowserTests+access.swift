import JSON
import Testing

extension BrowserTests {
    /// Ctrl K leads to every page without a mouse.
    @Test func keysLeadToPages() async throws {
        try await ConsoleVisit.run(hand: .keyboard) { visit in
            try await visit.browser.open("/console/")
            try await visit.browser.wait(for: "isRead()")
            try await visit.browser.type("k", holding: .control)
            try await visit.browser.wait(for: "field('Go to', null)")
            try await visit.browser.type("conflicts")
            try await visit.browser.press(.enter)
            try await visit.browser.wait(for: "location.pathname.endsWith('/conflicts')")
            try await visit.browser.wait(for: "isRead()")
            try await visit.browser.type("k", holding: .control)
            try await visit.browser.wait(for: "field('Go to', null)")
            try await visit.browser.press(.escape)
            try await visit.browser.wait(for: "!document.querySelector('dialog')")
        }
    }

    /// With the colours of the system, and without motion, everything is still told apart.
    @Test func pagesWorkInForcedColours() async throws {
        try await ConsoleVisit.run { visit in
            _ = try await visit.server.create("ConflictsEntity", [["title": "Ivan", "score": 1]])
            try await visit.design("Conflicts", on: "models")
            try await visit.browser.chrome(
                "Emulation.setEmulatedMedia",
                [
                    "features": .array(
                        [("forced-colors", "active"), ("prefers-reduced-motion", "reduce")].map {
                            .object(["name": .string($0), "value": .string($1)])
                        })
                ])
            for page in ["models", "rights", "in/test/records", "in/test/phones"] {
                try await visit.browser.open("/console/\(page)")
                try await visit.browser.wait(for: "isRead()")
                let findings = try await visit.browser.script(pageChecks)
                #expect(findings.elements.map(\.text) == [], "\(page)")
                let moving = try await visit.browser.script(
                    "return document.getAnimations().length")
                #expect(moving == .integer(0), "\(page)")
            }
        }
    }

    /// A page that the browser kept after it was left shows nothing old.
    @Test func keptPageIsReadAgain() async throws {
        try await ConsoleVisit.run { visit in
            try await visit.open("overview")
            try await visit.browser.script(
                "globalThis.isOld = true; "
                    + "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
            try await visit.browser.wait(for: "globalThis.isOld === undefined && isRead()")
        }
    }

    /// A page that listens asks for the password when the session has ended.
    @Test func endedSessionOfListenerIsRenewed() async throws {
        try await ConsoleVisit.run { visit in
            let person = visit.person
            try await visit.open("records")
            try await visit.server.site.sql("DELETE FROM operator_sessions")
            try await person.fill("Password", with: "password of ann", in: "Sign in again")
            try await person.press("Sign in", in: "Sign in again")
            try await visit.browser.wait(for: "!document.querySelector('dialog')")
            _ = try await visit.server.create("ConflictsEntity", [["title": "Ivan", "score": 1]])
            try await person.sees("1 newer change.")
        }
    }

    /// No error of an action is lost.
    @Test func errorsThatNobodyShowsAreShown() async throws {
        try await ConsoleVisit.run { visit in
            try await visit.open("overview")
            try await visit.browser.script(
                """
                const { ApiError } = await import(
                  document.querySelector('link[href$="/modules/api.js"]').href)
                Promise.reject(new ApiError(500, { message: 'it broke', code: 'broken' }))
                """)
            try await visit.person.sees("■ It broke.")
        }
    }

    /// An edit of the draft waits until the operator has signed in again.
    @Test func sessionMayEndDuringDesign() async throws {
        try await ConsoleVisit.run { visit in
            let person = visit.person
            try await visit.design("Conflicts", on: "models")
            try await person.fill("Description", with: "films", in: "Model ConflictsEntity")
            // The stream of the page may ask for the password before the edit does.
            try await visit.browser.deleteCookies()
            try await person.leaveField()
            try await person.sees("What you typed is still here")
            try await person.fill("Password", with: "password of ann", in: "Sign in again")
            try await person.press("Sign in", in: "Sign in again")
            try await visit.browser.wait(for: "!document.querySelector('dialog')")
            try await person.sees("saved", in: "Draft")
            try await visit.browser.open("/console/xml")
            #expect(try await visit.text().contains(#"w:description="films""#))
        }
    }
}
