import JSON
import Testing

/// Forms of the draft: focus, selection, scopes, and what leads from them elsewhere.
extension BrowserTests {
    /// A field goes down two places by two presses of one key.
    @Test func movedFieldKeepsFocus() async throws {
        try await ConsoleVisit.run(hand: .keyboard) { visit in
            let (person, browser) = (visit.person, visit.browser)
            try await visit.design("Conflicts", on: "models")
            try await person.press("New field")
            try await person.sees("name", in: "Field field1")
            try await person.press("Move title down")
            for order in ["score,title,field1", "score,field1,title"] {
                try await browser.wait(
                    for: "[...document.querySelectorAll("
                        + "'.field-row > .toolbar > label:first-child > input')]"
                        + ".map((e) => e.value).join() === given[0]", .string(order))
                let focus = try await browser.wait(
                    for: "nameOf(document.activeElement).startsWith('Move title') "
                        + "&& nameOf(document.activeElement)")
                guard focus.string == "Move title down" else { break }
                try await browser.press(.enter)
            }
            // At the end the way back has the focus.
            let focus = try await browser.script("return nameOf(document.activeElement)")
            #expect(focus.string == "Move title up")
        }
    }

    /// The link of the chosen model keeps the focus, and so does the list that chooses models. None
    /// of their cells is chosen before it is to be seen.
    @Test func choicesKeepFocus() async throws {
        try await ConsoleVisit.run(hand: .keyboard) { visit in
            let (person, browser) = (visit.person, visit.browser)
            try await visit.begin(with: largeDefinition(models: 60))
            try await person.press("model3", in: "Models")
            try await person.sees("Fields", in: "Model model3")
            let focus = try await browser.script("return document.activeElement.textContent")
            #expect(focus == "model3")
            try await browser.open("/console/rights")
            try await person.sees("60 to consider", in: "Draft")
            try await browser.script("document.querySelectorAll('td.letter')[7].click()")
            try await person.choose("model51 to", of: "Models shown")
            try await browser.wait(for: "nameOf(document.activeElement) === 'Models shown'")
            let chosen = try await browser.script(
                "return [...document.querySelectorAll('td[aria-selected=true]')].map((e) =>"
                    + " [e.parentElement.rowIndex, e.cellIndex])")
            #expect(chosen.text == "[[2,1]]")
        }
    }

    /// A model that Test has keeps its records, however quickly it is renamed.
    @Test(arguments: Person.Hand.allCases)
    func renamedModelSaysItsFormerName(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            try await visit.design("Conflicts", on: "models")
            try await visit.browser.script("sessionStorage.removeItem('waggle-definition')")
            try await visit.browser.open("/console/models")
            try await person.fill("Name", with: "film", in: "Model ConflictsEntity")
            try await person.leaveField()
            try await person.sees("Fields", in: "Model film")
            try await visit.browser.open("/console/xml")
            #expect(try await visit.text().contains(#"w:renamedFrom="ConflictsEntity""#))
        }
    }

    @Test(arguments: Person.Hand.allCases)
    func modeOfApplicationIsChanged(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            try await visit.design("Conflicts", on: "models")
            try await person.press("Application conflicts, MANUAL")
            for mode in ["MERGE", "DISCARD"] {
                try await person.choose(mode, of: "Conflicts of all models")
                try await person.sees("Application conflicts, \(mode)")
                try await person.sees("✓ checked", in: "Draft")
            }
            try await person.fill("Name of the application", with: "films")
            try await person.leaveField()
            try await person.sees("Application films, DISCARD")
            try await visit.browser.open("/console/xml")
            let text = try await visit.text()
            #expect(text.contains(#"conflictMode="DISCARD""#))
            #expect(text.contains(#"application="films""#) && !text.contains("w:conflictMode"))
        }
    }

    /// A keeper looks at a draft, and nothing invites to change it.
    @Test(arguments: ["models", "groups", "rights", "xml", "versions"])
    func lookersFindNothingToChange(page: String) async throws {
        try await ConsoleVisit.run(scope: "keeper") { visit in
            let designer = try await visit.server.operatorSession("dora", "designer")
            let body = JSONValue.object(["xml": .string(try definition("Conflicts"))]).text
            let written = try await visit.server.admin(
                "PUT", "drafts/films", body, as: designer)
            #expect(written.status == 200, "\(written.text)")
            try await visit.browser.open("/console/")
            try await visit.person.press("films", in: "Drafts")
            try await visit.person.sees("Only designers change a draft")
            try await visit.browser.open("/console/\(page)")
            try await visit.person.sees("Only designers change a draft")
            let open = try await visit.browser.wait(
                for: "isRead() && [...document.querySelectorAll('main :is("
                    + "input, textarea, button, select)')].filter((e) => isShown(e) && "
                    + "!e.matches(':disabled, [readonly]')).map(nameOf)")
            let lookers = ["From", "To", "Compare", "Roles shown"]
            #expect(open.elements.compactMap(\.string).filter { !lookers.contains($0) } == [])
        }
    }

    /// The line of a rule is one of the version that the environment has, not of the draft.
    @Test func rulesLeadToDeployedText() async throws {
        try await ConsoleVisit.run(definition: "Permissions") { visit in
            let (person, browser) = (visit.person, visit.browser)
            try await visit.design("Conflicts", on: "models")
            try await visit.open("explain")
            try await person.press("Explain")
            let line = try await browser.wait(
                for: "document.querySelector('.explanation a').textContent")
            try await person.press(line.string ?? "")
            try await person.sees("Version 1, which test has")
            let text = try await browser.wait(for: "field('Version 1 as XML', null)")
            #expect(text == .boolean(true))
            let chosen = try await browser.wait(
                for: "(({ value, selectionStart, selectionEnd, readOnly }) => readOnly && "
                    + "value.slice(selectionStart, selectionEnd))(field('Version 1 as XML', null))")
            #expect(chosen.string?.contains("Allowed=") == true, "\(chosen)")
        }
    }

    /// A long text is shown from its beginning, and then as a whole that can be changed.
    @Test func longTextIsWhole() async throws {
        try await ConsoleVisit.run { visit in
            let text = largeDefinition(models: 100)
            try await visit.begin(with: text)
            try await visit.browser.open("/console/xml")
            let shown = try await visit.browser.wait(
                for: "(({ readOnly, value }) => !readOnly && value)("
                    + "field('The definition as XML', null))")
            #expect(shown.string == text)
        }
    }

    /// Rows that a window has no room for follow, and stay where they are after an edit.
    @Test func matrixIsWhole() async throws {
        try await ConsoleVisit.run { visit in
            try await visit.begin(with: largeDefinition(models: 60))
            try await visit.browser.open("/console/rights")
            try await visit.browser.wait(
                for: "document.querySelectorAll('table.rights tbody tr').length === 150")
            try await visit.browser.script(
                """
                document.querySelector('table.rights tbody tr:last-child td').click()
                globalThis.place = scrollY
                """)
            try await visit.browser.type("a")
            try await visit.browser.wait(
                for: "document.querySelector('table.rights tbody tr:last-child td')"
                    + ".textContent === 'A'")
            let rows = try await visit.browser.script(
                "return [place > 0, scrollY - place, document.activeElement.closest('tr').rowIndex]"
            )
            #expect(rows.text == "[true,0,151]")
        }
    }

    /// The browser may have no room for all rights: the page asks for them then.
    @Test func rightsAreAskedForIfMissing() async throws {
        try await ConsoleVisit.run { visit in
            try await visit.begin(
                with: try largeDefinition(models: 1).changing(
                    #"updateAllowed="ALL" deleteAllowed"#,
                    to: #"updateAllowed="OWN" deleteAllowed"#))
            for _ in 1...2 {
                try await visit.browser.open("/console/rights")
                // Users who change only their own records resolve only the conflicts of these.
                try await visit.browser.wait(
                    for: """
                        [...document.querySelectorAll('td.limited')]
                          .map((cell) => cell.getAttribute('aria-label')).join('; ')
                          === 'model1, users-mobile, resolve: all, in effect own; '
                            + 'title, users-mobile, update: all, in effect own'
                        """)
                try await visit.browser.script(
                    "sessionStorage.removeItem('waggle-checked rights')")
            }
        }
    }

    /// With Alt an arrow leads back and forth in the browser, and not in the matrix.
    @Test func altArrowIsOfBrowser() async throws {
        try await ConsoleVisit.run { visit in
            try await visit.design("Conflicts", on: "rights")
            try await visit.browser.wait(for: "document.querySelectorAll('td.letter').length > 1")
            try await visit.browser.script(
                """
                document.querySelectorAll('td.letter')[1].click()
                addEventListener('keydown', (event) => {
                  if (event.key !== 'ArrowLeft') return
                  globalThis.isTaken = event.defaultPrevented
                  event.preventDefault()
                })
                """)
            let cases: [(Browser.Modifier?, String)] = [(.alt, "[false,1]"), (nil, "[true,0]")]
            for (modifier, found) in cases {
                try await visit.browser.press(.left, holding: modifier)
                let state = try await visit.browser.wait(
                    for: "'isTaken' in globalThis && [isTaken, "
                        + "document.activeElement.cellIndex - 1]")
                #expect(state.text == found)
            }
        }
    }

    /// The address of the library is typed once.
    @Test func addressOfLibraryIsKept() async throws {
        try await ConsoleVisit.run { visit in
            try await visit.design("Conflicts", on: "download")
            let address = "https://example.org/waggle.git"
            try await visit.person.fill("Library", with: address)
            try await visit.person.press("Download the package")
            try await visit.browser.open("/console/download")
            try await visit.browser.wait(
                for: "field('Library', null)?.value === given[0]", .string(address))
        }
    }
}
