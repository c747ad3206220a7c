import Administration
import JSON
import Testing

/// Two designers at one draft: nothing of either is lost without being told.
extension BrowserTests {
    /// A colleague writes while a text has no answer, whose page is left.
    @Test func unansweredTextReplacesNothingUnasked() async throws {
        try await ConsoleVisit.run { visit in
            let (person, dora) = (visit.person, try await visit.dora())
            try await visit.design("Conflicts", on: "xml")
            try await person.sees("saved", in: "Draft")
            try await visit.holdRequests()
            try await visit.paste(
                try await visit.text().changing("One to five", to: "From ann"),
                into: "The definition as XML")
            try await visit.leave(for: "/console/")
            try await visit.change("conflicts", "One to five", to: "From dora", as: dora)
            try await visit.browser.open("/console/models")
            try await person.sees("'dora' has changed the draft meanwhile")
            #expect(try await visit.draft("conflicts", as: dora).text.contains("From dora"))
            try await person.press("Keep mine")
            try await person.losesSight(of: "has changed the draft meanwhile")
            #expect(try await visit.draft("conflicts", as: dora).text.contains("From ann"))
        }
    }

    /// The page is left before it has the colleague's text, who then writes a later one.
    @Test func unansweredTextOfColleagueIsForgotten() async throws {
        try await ConsoleVisit.run { visit in
            let (person, dora) = (visit.person, try await visit.dora())
            try await visit.design("Conflicts", on: "models")
            try await person.sees("saved", in: "Draft")
            try await visit.browser.open("/console/")
            try await visit.change("conflicts", "One to five", to: "From dora", as: dora)
            let hold = try await visit.browser.chrome(
                "Page.addScriptToEvaluateOnNewDocument",
                [
                    "source": """
                    const real = fetch
                    globalThis.fetch = (...all) => {
                      if (!all[0].endsWith('/edit')) return real(...all)
                      globalThis.held = true
                      return new Promise(() => {})
                    }
                    """
                ])
            try await visit.browser.open("/console/models")
            try await visit.browser.wait(for: "globalThis.held")
            try await visit.browser.chrome(
                "Page.removeScriptToEvaluateOnNewDocument",
                ["identifier": hold.member("identifier") ?? .null])
            try await visit.change("conflicts", "From dora", to: "Later, from dora", as: dora)
            try await visit.browser.open("/console/models")
            try await person.sees("saved", in: "Draft")
            try await visit.browser.open("/console/xml")
            #expect(try await visit.text().contains("Later, from dora"))
            #expect(try await visit.draft("conflicts", as: dora).text.contains("Later"))
        }
    }

    /// One keeps one's own text in place of the one that one was told of, and of no later one.
    @Test(arguments: Person.Hand.allCases)
    func laterTextIsToldAgain(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, dora) = (visit.person, try await visit.dora())
            let emil = try await visit.server.operatorSession("emil", "designer")
            try await visit.design("Conflicts", on: "models")
            try await person.sees("saved", in: "Draft")
            try await visit.change("conflicts", "One to five", to: "From dora", as: dora)
            try await person.press("unique", in: "Field title")
            try await person.sees("'dora' has changed the draft meanwhile")
            try await visit.change("conflicts", "From dora", to: "From emil", as: emil)
            try await person.press("Keep mine")
            try await person.sees("'emil' has changed the draft meanwhile")
            #expect(try await visit.draft("conflicts", as: dora).text.contains("From emil"))
            try await person.press("Take theirs")
            try await person.losesSight(of: "has changed the draft meanwhile")
            try await visit.browser.wait(for: "!button('unique', 'Field title').checked")
            try await person.press("Undo")
            try await visit.browser.wait(for: "button('unique', 'Field title').checked")
        }
    }

    /// An answer that a page did not get is no change of somebody else.
    @Test func ownTextIsNoRival() async throws {
        try await ConsoleVisit.run { visit in
            let person = visit.person
            try await visit.design("Conflicts", on: "models")
            try await person.sees("saved", in: "Draft")
            try await visit.browser.script(
                """
                const real = fetch
                globalThis.fetch = async (...all) => {
                  const answer = await real(...all)
                  if (all[1].method !== 'PUT') return answer
                  globalThis.written = true
                  return new Promise(() => {})
                }
                """)
            try await person.press("unique", in: "Field title")
            try await visit.browser.wait(for: "globalThis.written")
            try await visit.browser.open("/console/models")
            try await person.sees("saved", in: "Draft")
            try await person.losesSight(of: "has changed the draft meanwhile")
        }
    }
}

extension ConsoleVisit {
    /// Another designer.
    fileprivate func dora() async throws -> AdminCredentials {
        try await server.operatorSession("dora", "designer")
    }
}
