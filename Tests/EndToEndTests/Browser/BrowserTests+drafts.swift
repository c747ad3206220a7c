import JSON
import Testing

/// No design is lost, whatever is done next.
extension BrowserTests {
    /// A change that the page has not yet written, and then another draft.
    @Test func draftOutlivesBeginningOfAnother() async throws {
        try await ConsoleVisit.run { visit in
            let (person, browser) = (visit.person, visit.browser)
            try await visit.design("Conflicts", on: "models")
            try await person.fill("Description", with: "films", in: "Model ConflictsEntity")
            try await visit.leave(for: "/console/")
            try await person.press("Todo")
            try await person.sees("✓ checked", in: "Draft")
            try await browser.open("/console/")
            try await person.press("conflicts", in: "Drafts")
            try await person.sees("✓ checked", in: "Draft")
            let text = try await browser.wait(
                for: "field('Description', 'Model ConflictsEntity')?.value")
            #expect(text.string == "films")
        }
    }

    /// The field that a link leaves is applied, although the page ends before the answer.
    @Test func editsInFlightArrive() async throws {
        try await ConsoleVisit.run { visit in
            try await visit.design("Conflicts", on: "models")
            try await visit.holdRequests()
            try await visit.person.fill(
                "Description", with: "films", in: "Model ConflictsEntity")
            try await visit.leave(for: "/console/xml")
            #expect(try await visit.text().contains(#"w:description="films""#))
        }
    }

    /// A page that is left without leaving the field first, as by the keys of the browser.
    @Test(arguments: [
        ("models", "Name", "Model ConflictsEntity", #"<model name="left""#),
        ("models", "name", "Field title", #"<field name="left""#),
        ("groups", "Name of the group users", nil, #"<group name="left""#),
    ])
    func renamesArrive(page: String, label: String, area: String?, text: String) async throws {
        try await ConsoleVisit.run { visit in
            try await visit.design("Conflicts", on: page)
            try await visit.person.fill(label, with: "left", in: area)
            try await visit.browser.open("/console/xml")
            #expect(try await visit.text().contains(text))
        }
    }

    @Test func typedTextArrives() async throws {
        try await ConsoleVisit.run { visit in
            try await visit.design("Conflicts", on: "xml")
            let text = try await visit.text()
            try await visit.paste(
                text.changing("One to five", to: "From one to five"),
                into: "The definition as XML")
            try await visit.leave(for: "/console/models")
            try await visit.person.sees("✓ checked", in: "Draft")
            try await visit.browser.open("/console/xml")
            #expect(try await visit.text().contains("From one to five"))
        }
    }

    /// The answer to an earlier text does not replace what was typed since.
    @Test func textThatIsTypedDuringCheckStays() async throws {
        try await ConsoleVisit.run { visit in
            let (browser, label) = (visit.browser, "The definition as XML")
            try await visit.design("Conflicts", on: "xml")
            let text = try await visit.text()
            try await visit.holdRequests()
            try await visit.paste(text + "<!-- a -->", into: label)
            try await browser.wait(for: "globalThis.held > 0")
            try await visit.paste(text + "<!-- a b -->", into: label)
            try await browser.script("document.activeElement.blur(); release()")
            try await visit.person.sees("saved", in: "Draft")
            #expect(try await visit.text().hasSuffix("<!-- a b -->"))
        }
    }

    /// Two steps back and two forth while the answers are under way.
    @Test func undoIsAsFastAsKeys() async throws {
        try await ConsoleVisit.run { visit in
            try await visit.design("Conflicts", on: "models")
            let steps = try await visit.browser.wait(for: fastUndoScript)
            #expect(steps.text == #"["","3",[0,3],[3,0]]"#)
        }
    }

    /// Undo goes on where the last page was, also back to what was undone there.
    @Test func undoOutlivesPage() async throws {
        try await ConsoleVisit.run { visit in
            let person = visit.person
            try await visit.design("Conflicts", on: "models")
            try await person.press("unique", in: "Field title")
            try await person.sees("saved", in: "Draft")
            try await person.press("required", in: "Field title")
            try await person.sees("saved", in: "Draft")
            try await person.press("Undo")
            try await visit.browser.wait(for: "button('required', 'Field title').checked")
            for page in ["groups", "models"] {
                try await visit.browser.open("/console/\(page)")
                try await person.sees("✓ checked", in: "Draft")
            }
            try await person.press("Undo")
            try await visit.browser.wait(for: "!button('unique', 'Field title').checked")
            for _ in 1...2 { try await person.press("Redo") }
            try await visit.browser.wait(
                for: "button('unique', 'Field title').checked "
                    + "&& !button('required', 'Field title').checked")
        }
    }

    /// A draft that is lost for good needs the password again.
    @Test(arguments: Person.Hand.allCases)
    func draftIsRemoved(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            try await visit.design("Conflicts", on: "models")
            try await visit.browser.open("/console/")
            try await endConfirmation(visit)
            try await visit.person.press("Remove the draft conflicts")
            try await visit.person.press("Remove", in: "Remove the draft conflicts?")
            try await visit.givePassword()
            try await visit.person.losesSight(of: "Drafts")
            try await visit.browser.open("/console/models")
            try await visit.person.sees("No application yet")
        }
    }

    /// The last edit is stored, and nobody is asked to sign in again.
    @Test func signingOutWaitsForEdits() async throws {
        try await ConsoleVisit.run { visit in
            let (person, browser) = (visit.person, visit.browser)
            try await visit.design("Conflicts", on: "models")
            try await person.sees("saved", in: "Draft")
            try await visit.holdRequests(of: "edit")
            try await person.press("unique", in: "Field title")
            try await browser.wait(for: "globalThis.held > 0")
            try await person.press("Operator ann")
            try await person.press("Sign out")
            try await browser.script("setTimeout(release, 100)")
            try await browser.wait(
                for: "location.pathname === '/console/sign-in' || "
                    + "document.querySelector('dialog[open]')")
            let path = try await browser.script("return location.pathname")
            #expect(path == "/console/sign-in")
            #expect(
                try await visit.draft("conflicts", as: try await visit.server.adminSession("ann"))
                    .text.contains(#"w:unique="true""#))
        }
    }

    /// The next person at the browser sees nothing of it; the server has it all.
    @Test(arguments: Person.Hand.allCases)
    func signingOutRemovesDraftsFromBrowser(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            try await visit.design("Conflicts", on: "models")
            try await person.press("unique", in: "Field title")
            try await visit.browser.wait(
                for: "button('unique', 'Field title').checked && !Object.keys(sessionStorage)"
                    + ".some((each) => each.startsWith('waggle-steps'))")
            try await person.press("Operator ann")
            try await person.press("Sign out")
            try await visit.browser.wait(for: "location.pathname === '/console/sign-in'")
            let kept = try await visit.browser.script(
                "return Object.keys({ ...localStorage, ...sessionStorage })")
            #expect(kept.elements.map(\.text) == [])
            try await visit.signIn()
            try await person.press("conflicts", in: "Drafts")
            try await person.sees("saved", in: "Draft")
        }
    }

    @Test(arguments: Person.Hand.allCases)
    func ownPasswordIsChanged(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            try await visit.browser.wait(for: "isRead()")
            try await person.press("Operator ann")
            try await person.press("Change password")
            let dialog = "Change your password"
            try await person.fill("Present password", with: "password of ann", in: dialog)
            try await person.fill("New password", with: "another long password", in: dialog)
            try await person.press("Change", in: dialog)
            try await person.sees("Your password is changed")
            let answer = try await visit.server.admin(
                "POST", "session", #"{"name":"ann","password":"another long password"}"#,
                as: .nobody)
            #expect(answer.status == 201, "\(answer.text)")
        }
    }
}

extension ConsoleVisit {
    /// Goes to another page as a link does: the field that has the focus loses it at once.
    func leave(for path: String) async throws {
        try await browser.script(
            "document.activeElement.blur(); location.assign(given[0])", .string(path))
        try await browser.wait(
            for: "location.pathname === given[0] && isRead()", .string(path))
    }

    /// Requests of the page wait until its function `release` is called; `held` counts them. Those
    /// for other addresses than `part` do not wait.
    func holdRequests(of part: String = "") async throws {
        try await browser.script(
            """
            const { promise, resolve } = Promise.withResolvers(), real = fetch, [part] = given
            Object.assign(globalThis, { held: 0, release: resolve, fetch: async (...request) => {
              if (!request[0].endsWith(part)) return real(...request)
              globalThis.held += 1
              await promise
              return real(...request)
            } })
            """, .string(part))
    }
}

/// Returns the description after two steps back and after two forth, with the numbers of steps to
/// undo and to redo.
private let fastUndoScript = #"""
    (globalThis.run ??= Promise.all(
      ['open-draft', 'drafts'].map((name) => import(`/console/modules/${name}.js`))
    ).then(async ([{ openDraft }, { drafts }]) => {
      const draft = await openDraft(await drafts())
      const path = [['models'], ['model', 'name', 'ConflictsEntity']]
      for (const value of ['1', '2', '3']) {
        await draft.edit([{ do: 'set', path, attribute: 'w:description', value }])
      }
      const now = () => /w:description="(\d+)"/.exec(draft.xml)?.[1] ?? ''
      const depths = () => [draft.undo.length, draft.redo.length]
      await Promise.all([draft.undoOnce(), draft.undoOnce(), draft.undoOnce()])
      const [back, backDepths] = [now(), depths()]
      await Promise.all([draft.redoOnce(), draft.redoOnce(), draft.redoOnce()])
      globalThis.steps = [back, now(), backDepths, depths()]
    }).catch((error) => { globalThis.steps = String(error) }), globalThis.steps)
    """#
