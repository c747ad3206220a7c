import Foundation
import JSON
import Testing

extension BrowserTests {
    @Test(arguments: Person.Hand.allCases)
    func rightsAreSetInMatrix(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, browser) = (visit.person, visit.browser)
            try await visit.design("Conflicts", on: "rights")
            try await visit.sees("ConflictsEntity, users-mobile, create: all")
            switch hand {
            case .mouse:
                try await browser.script("document.querySelector('td.letter').click()")
                try await person.press("None", in: "Level of the chosen cells")
            case .keyboard:
                try await person.tab(to: "td.letter")
                try await browser.type("n")
            }
            try await visit.sees("ConflictsEntity, users-mobile, create: none")
            switch hand {
            case .mouse:
                try await browser.script(
                    "document.querySelectorAll('td.letter')[6].dispatchEvent("
                        + "new MouseEvent('click', { shiftKey: true, bubbles: true }))")
                try await person.press("Own", in: "Level of the chosen cells")
            case .keyboard:
                for key in [Browser.Key.right, .down] {
                    try await browser.press(key, holding: .shift)
                }
                try await browser.type("o")
            }
            for row in ["ConflictsEntity", "title"] {
                for operation in ["create", "read"] {
                    try await visit.sees("\(row), users-mobile, \(operation): own")
                }
            }
            try await person.press("users-mobile", in: "Rights")
            try await person.press("No rights", in: "Rights")
            try await visit.sees("score, users-mobile, update: none")
            try await person.press("Undo")
            try await visit.sees("score, users-mobile, update: all")
            try await browser.open("/console/xml")
            #expect(try await visit.text().contains(#"createAllowed="OWN""#))
        }
    }

    /// To press a button leaves the field before it, which draws the page anew while the button is
    /// held: it stays until it is released.
    @Test(arguments: ["New field", "Undo"])
    func heldButtonStays(name: String) async throws {
        try await ConsoleVisit.run { visit in
            let (person, browser) = (visit.person, visit.browser)
            try await visit.design("Conflicts", on: "models")
            try await person.press("unique", in: "Field title")
            try await person.sees("saved", in: "Draft")
            try await person.fill("Description", with: "films", in: "Model ConflictsEntity")
            let edits = """
                performance.getEntriesByType('resource').filter((each) =>
                  each.name.endsWith('/edit') && each.responseEnd > 0).length
                """
            let before = try await browser.script("return \(edits)")
            let place = try await browser.place(of: "button", name, in: nil)
            try await browser.mouse(.move, at: place)
            try await browser.mouse(.press, at: place)
            try await browser.wait(for: "\(edits) > given[0]", before)
            try await browser.mouse(.release, at: place)
            switch name {
            case "Undo":
                try await browser.wait(
                    for: "field('Description', 'Model ConflictsEntity').value === ''")
            default: try await person.sees("name", in: "Field field1")
            }
        }
    }

    @Test(arguments: Person.Hand.allCases)
    func groupsAndRolesAreSwitched(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            try await visit.design("Conflicts", on: "groups")
            try await person.press("New group")
            try await person.fill("Name of the group group1", with: "guests")
            try await person.leaveField()
            try await person.press("guests-mobile")
            try await person.press("New device category")
            try await person.fill("Name of the device category device1", with: "web")
            try await person.leaveField()
            try await person.press("guests-web")
            try await person.press("Remove the group guests")
            try await person.sees("guests-mobile, guests-web are removed too")
            try await person.press("Cancel", in: "Remove guests?")
            try await visit.browser.open("/console/xml")
            let text = try await visit.text()
            #expect(text.contains(#"<role group="guests" device="web"/>"#), "\(text)")
        }
    }

    /// The compiler follows what is typed; a problem leads to its line, a drawn model to its form.
    @Test(arguments: Person.Hand.allCases)
    func textIsCheckedAndDrawn(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, browser) = (visit.person, visit.browser)
            try await visit.design("Conflicts", on: "xml")
            let text = try await visit.text()
            let label = "The definition as XML"
            try await visit.paste(
                try text.changing(#"defaultValue="1""#, to: #"defaultValue="7""#), into: label)
            try await person.sees("the default '7' is more than 5", in: "Problems")
            try await browser.wait(
                for: "document.querySelector('.lines .bad')?.textContent.startsWith('■ ')")
            try await visit.paste("<application", into: label)
            try await person.sees("■ 1 to correct", in: "Draft")
            try await visit.paste(text, into: label)
            try await person.sees("The compiler finds nothing to correct", in: "Problems")
            try await browser.open("/console/diagram")
            try await person.press(
                "ConflictsEntity: title required TEXT, score required INTEGER", in: "Diagram")
            try await person.sees("Fields", in: "Model ConflictsEntity")
        }
    }

    @Test(arguments: Person.Hand.allCases)
    func versionsAreKeptComparedAndTaken(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            try await visit.design("Conflicts", on: "models")
            try await person.press("unique", in: "Field title")
            try await person.sees("saved", in: "Draft")
            try await visit.browser.open("/console/versions")
            try await person.press("Keep the draft as a version")
            try await person.fill("Tag", with: "spring", in: "Keep the draft as a version")
            try await person.press("Keep", in: "Keep the draft as a version")
            try await person.sees("spring", in: "Versions")
            try await person.choose("version 1", of: "From")
            try await person.press("Compare")
            try await person.sees("unique", in: "Comparison")
            try await person.press("Set as draft, version 1")
            try await person.sees("The draft is version 1 now")
        }
    }

    @Test(arguments: Person.Hand.allCases)
    func simulationTellsItsProgressAndResult(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            try await visit.design("Conflicts", on: "simulate")
            try await person.fill("Histories", with: "2")
            try await person.fill("Steps of a history", with: "30")
            try await person.press("Simulate", in: "Simulation")
            try await person.sees("✓ No violation")
            try await person.sees("no violation in 2 histories of 30 steps by 6 devices")
            try await person.fill("Histories", with: "1000")
            try await person.fill("Steps of a history", with: "2000")
            try await person.press("Simulate", in: "Simulation")
            try await person.press("Stop")
            try await person.sees("Stopped.")
            let shown = try await visit.browser.wait(for: violationScript)
            #expect(shown.string?.contains("1 steps") == true, "\(shown)")
            #expect(shown.string?.contains("phone 1 syncs") == true, "\(shown)")
        }
    }

    /// Two designers at one draft see each other; what one writes reaches the other, and what both
    /// write is not overwritten without a choice.
    @Test(arguments: Person.Hand.allCases)
    func designersAreToldOfEachOther(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            try await visit.design("Conflicts", on: "models")
            _ = try await visit.server.operatorSession("ben", "designer")
            try await Browser.run(on: visit.server) { browser in
                let ben = Person(browser: browser, hand: hand)
                let other = ConsoleVisit(server: visit.server, browser: browser, person: ben)
                try await other.signIn(as: "ben")
                try await ben.press("conflicts")
                try await visit.person.sees("ben designs it too", in: "Draft")
                try await ben.sees("ann designs it too", in: "Draft")
                try await ben.press("unique", in: "Field title")
                try await visit.person.sees("ben has changed this draft.")
                try await visit.person.press("Show")
                try await visit.browser.wait(for: "button('unique', 'Field title').checked")

                try await ben.fill("Description", with: "of ben", in: "Model ConflictsEntity")
                try await ben.leaveField()
                try await ben.sees("saved", in: "Draft")
                try await visit.person.fill(
                    "Description", with: "of ann", in: "Model ConflictsEntity")
                try await visit.person.leaveField()
                try await visit.person.sees("'ben' has changed the draft meanwhile")
                try await visit.person.press("Keep mine")
                try await ben.sees("ann has changed this draft.")
            }
            try await visit.person.losesSight(of: "ben designs it too", in: "Draft")
        }
    }

    /// With `--edit-file` the draft is the file, which is not overwritten when it has changed.
    @Test(arguments: Person.Hand.allCases)
    func draftIsFile(hand: Person.Hand) async throws {
        let site = try await Site(prepared: "Conflicts", isAdministered: true)
        let server = try await RunningServer(
            site: site, processes: 1, arguments: ["--edit-file"])
        try await ConsoleVisit.run(on: server, hand: hand) { visit in
            let person = visit.person
            try await person.press("conflicts", in: "Drafts")
            try await person.press("unique", in: "Field title")
            try await person.sees("saved", in: "Draft")
            let text = try String(contentsOfFile: site.definition, encoding: .utf8)
            #expect(text.contains(#"w:unique="true""#))

            let other = try text.changing("One to five", to: "From 1 to 5")
            try other.write(toFile: site.definition, atomically: true, encoding: .utf8)
            try await person.fill("Description", with: "films", in: "Model ConflictsEntity")
            try await person.leaveField()
            try await person.sees("was changed meanwhile")
            #expect(try String(contentsOfFile: site.definition, encoding: .utf8) == other)
            try await person.press("Take theirs")
            try await person.sees("saved", in: "Draft")
        }
    }

    /// The first ones are there at once, and the others soon after.
    @Test func manyModelsAreListed() async throws {
        try await ConsoleVisit.run { visit in
            let body = JSONValue.object(["xml": .string(largeDefinition(models: 250))]).text
            let written = try await visit.server.admin(
                "PUT", "drafts/large", body, as: try await visit.server.adminSession("ann"))
            #expect(written.status == 200, "\(written.text)")
            try await visit.browser.open("/console/")
            try await visit.person.press("large", in: "Drafts")
            try await visit.person.sees("250 to consider", in: "Draft")
            try await visit.browser.wait(
                for: "document.querySelectorAll('nav[aria-label=Models] a').length === 250")
            try await visit.person.press("model250", in: "Models")
            try await visit.person.sees("Fields", in: "Model model250")
        }
    }

    /// Edits in bytes: undo leads back through a hundred of them, and no further.
    @Test func undoIsAHundredDeep() async throws {
        try await ConsoleVisit.run { visit in
            try await visit.design("Conflicts", on: "models")
            let depth = try await visit.browser.wait(for: undoScript)
            #expect(depth.text == "[100,\"5\"]")
        }
    }
}

/// Returns the parts of a violation that the page of simulations shows.
private let violationScript = #"""
    (globalThis.run ??= import('/console/modules/simulation-outcome.js').then(({ outcome }) => {
      globalThis.shown = outcome({
        kind: 'end', violated: true, seed: 3, guarantee: 'nothing is lost', finding: 'it was',
        steps: ['phone 1 syncs'], again: 'waggle simulate',
      }).textContent
    }), globalThis.shown)
    """#

private let undoScript = #"""
    (globalThis.run ??= Promise.all(
      ['open-draft', 'drafts'].map((name) => import(`/console/modules/${name}.js`))
    ).then(async ([{ openDraft }, { drafts }]) => {
      const draft = await openDraft(await drafts())
      const path = [['models'], ['model', 'name', 'ConflictsEntity']]
      for (let number = 1; number <= 105; number += 1) {
        await draft.edit([
          { do: 'set', path, attribute: 'w:description', value: String(number) }])
      }
      let depth = 0
      for (; draft.undo.length > 0; depth += 1) await draft.undoOnce()
      globalThis.depth = [depth, /description="(\d+)"/.exec(draft.xml)[1]]
    }).catch((error) => { globalThis.depth = String(error) }), globalThis.depth)
    """#
