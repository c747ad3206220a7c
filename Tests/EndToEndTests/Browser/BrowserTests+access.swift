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

    /// With the colours of the system everything is still told apart.
    @Test func pagesWorkInForcedColours() async throws {
        try await ConsoleVisit.run { visit in
            _ = try await visit.server.create("ConflictsEntity", [["title": "Ivan", "score": 1]])
            try await visit.design("Conflicts", on: "models")
            try await visit.prefer("forced-colors", "active")
            for page in ["models", "rights", "in/test/records", "in/test/phones"] {
                try await visit.browser.open("/console/\(page)")
                try await visit.browser.wait(for: "isRead()")
                let findings = try await visit.browser.script(pageChecks)
                #expect(findings.elements.map(\.text) == [], "\(page)")
            }
        }
    }

    /// One page fades into the next, but not for those who do not want things to move.
    @Test(arguments: [("no-preference", true), ("reduce", false)])
    func pagesFadeUnlessMotionIsReduced(preference: String, fades: Bool) async throws {
        try await ConsoleVisit.run { visit in
            let browser = visit.browser
            try await visit.prefer("prefers-reduced-motion", preference)
            try await visit.open("overview")
            try await browser.chrome(
                "Page.addScriptToEvaluateOnNewDocument",
                [
                    "source": """
                    addEventListener('pagereveal', ({ viewTransition }) => {
                      globalThis.fades = String(viewTransition !== null)
                    })
                    """
                ])
            try await browser.script(
                """
                addEventListener('pageswap', ({ viewTransition }) => {
                  sessionStorage.setItem('fades', String(viewTransition !== null))
                })
                """)
            try await visit.person.press("Users")
            try await browser.wait(for: "location.pathname.endsWith('/users')")
            let revealed = try await browser.wait(for: "globalThis.fades")
            let left = try await browser.script("return sessionStorage.getItem('fades')")
            #expect([left, revealed] == [.string("\(fades)"), .string("\(fades)")])
            try await browser.wait(for: "isRead()")
            try await browser.wait(for: "document.getAnimations().length === 0")
        }
    }

    /// Chromium leaves a cross-fade out if the page is shown already, and rejects a promise of its
    /// own so.
    @Test func fadeThatIsLeftOutIsNoError() async throws {
        try await ConsoleVisit.run { visit in
            try await visit.open("overview")
            let alerts = try await visit.browser.script(
                """
                Promise.reject(new DOMException(
                  "Transition was aborted because of invalid state. Page already revealed",
                  "InvalidStateError"))
                return new Promise((resolve) => setTimeout(resolve))
                  .then(() => document.querySelectorAll('[role=alert]').length)
                """)
            #expect(alerts == 0)
        }
    }

    /// Fingers need more room than a mouse.
    @Test func pagesHaveRoomForFingers() async throws {
        try await ConsoleVisit.run { visit in
            let browser = visit.browser
            try await seed(visit)
            try await browser.chrome(
                "Emulation.setTouchEmulationEnabled",
                ["enabled": .boolean(true), "maxTouchPoints": .integer(1)])
            for page in Self.pages where page != "metrics" {
                try await show(page, visit, width: 390)
                let isCoarse = try await browser.script(
                    "return matchMedia('(pointer: coarse)').matches")
                #expect(isCoarse == .boolean(true))
                let findings = try await browser.script(pageChecks)
                #expect(findings.elements.map(\.text) == [], "\(page)")
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

    /// The page asks again in the place of what could not be read, for what was typed.
    @Test(arguments: Person.Hand.allCases)
    func errorIsTriedAgain(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, browser) = (visit.person, visit.browser)
            try await visit.open("users")
            try await browser.script(
                "globalThis.real = fetch; globalThis.fetch = () => Promise.reject(new TypeError())")
            try await person.fill("Search", with: "b")
            try await person.sees("■ The server cannot be reached.")
            try await browser.script("globalThis.fetch = real")
            try await person.press("Try again")
            try await person.sees("b", in: "Users")
            try await browser.wait(for: "field('Search', null).value === 'b'")
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
    @Test(arguments: Person.Hand.allCases)
    func sessionMayEndDuringDesign(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
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

extension ConsoleVisit {
    /// Sets what the person prefers, as style sheets ask for it.
    func prefer(_ feature: String, _ value: String) async throws {
        try await browser.chrome(
            "Emulation.setEmulatedMedia",
            [
                "features": .array([
                    .object(["name": .string(feature), "value": .string(value)])
                ])
            ])
    }
}
