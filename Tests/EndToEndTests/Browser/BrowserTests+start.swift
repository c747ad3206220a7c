import JSON
import Testing

/// How a design begins: with a mode, a file, a version, or a text that somebody types.
extension BrowserTests {
    @Test(arguments: Person.Hand.allCases)
    func modesHavePictures(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, browser) = (visit.person, visit.browser)
            try await person.press("New application")
            for (mode, text) in [
                ("DISCARD", "the record has the value of a"),
                ("OVERWRITE", "the record has the value of b"),
                ("MANUAL", "the record has both values until somebody decides"),
                ("MERGE", "the record has both changes"),
            ] {
                try await person.choose(mode, of: "When two change one record")
                let name = try await browser.wait(
                    for: "area('New application').querySelector('[role=img]')"
                        + ".getAttribute('aria-label')")
                #expect(name.string?.hasSuffix(text) == true, "\(mode): \(name)")
                let description = try await browser.script(
                    "return document.getElementById('mode-help').textContent")
                #expect(description.string?.isEmpty == false)
                try await visit.picture("mode-\(mode)")
            }
        }
    }

    @Test(arguments: Person.Hand.allCases)
    func fileIsDesigned(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let text = try definition("Conflicts").changing("One to five", to: "From a file")
            try await visit.browser.wait(for: "isRead()")
            try await visit.choose(text, by: "From a file")
            try await visit.browser.wait(for: "location.pathname === '/console/models'")
            try await visit.person.sees("✓ checked", in: "Draft")
            try await visit.browser.open("/console/xml")
            #expect(try await visit.text() == text)
        }
    }

    @Test(arguments: Person.Hand.allCases)
    func newestVersionIsDesigned(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let change = (old: "One to five", new: "The newest")
            try await importVersion(visit, changing: change.old, to: change.new)
            try await visit.browser.wait(for: "isRead()")
            try await visit.person.press("From the newest version")
            try await visit.browser.wait(for: "location.pathname === '/console/models'")
            try await visit.person.sees("✓ checked", in: "Draft")
            try await visit.browser.open("/console/xml")
            #expect(try await visit.text().contains(change.new))
        }
    }

    /// A file takes the place of the draft, and undo leads back.
    @Test(arguments: Person.Hand.allCases)
    func fileReplacesDraft(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            try await visit.design("Conflicts", on: "versions")
            try await visit.choose(
                try definition("Conflicts").changing("One to five", to: "From a file"),
                by: "Read a file")
            // It says that the former text is saved until the file is read.
            try await visit.browser.wait(
                for: "document.querySelector('[data-key=undo]')?.disabled === false")
            try await person.sees("saved", in: "Draft")
            let session = try await visit.server.adminSession("ann")
            #expect(try await visit.draft("conflicts", as: session).text.contains("From a file"))
            try await person.press("Undo")
            try await visit.browser.open("/console/xml")
            #expect(try await visit.text().contains("One to five"))
        }
    }

    /// Not pasted: the compiler answers each text on the way.
    @Test(arguments: Person.Hand.allCases)
    func definitionIsTyped(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let person = visit.person
            let rest =
                #" application="typed" vendor="own">"#
                + #"<devices><device name="m"/></devices>"#
                + #"<groups><group name="u"/></groups><roles><role group="u" device="m"/></roles>"#
                + #"<models><model name="note"><fields><field name="text" type="TEXT"/></fields>"#
                + "</model></models></application>"
            let start = #"<application xmlns="http://schema.mobeelizer.com/application""#
            try await visit.design("Conflicts", on: "xml")
            _ = try await visit.text()
            try await person.fill("The definition as XML", with: start)
            try await person.sees("■ 1 to correct", in: "Draft")
            try await visit.browser.type(rest)
            try await person.losesSight(of: "to correct", in: "Draft")
            try await person.sees("saved", in: "Draft")
            #expect(try await visit.text() == start + rest)
            try await visit.browser.open("/console/models")
            try await person.sees("Fields", in: "Model note")
        }
    }
}

extension ConsoleVisit {
    /// Presses a button that asks for a file, and chooses one with this text.
    fileprivate func choose(_ text: String, by button: String) async throws {
        try await browser.chrome(
            "Page.setInterceptFileChooserDialog", ["enabled": .boolean(true)])
        try await browser.wait(for: "button(given[0], null)", .string(button))
        try await browser.script(
            """
            document.querySelector('main input[type=file]').addEventListener('click', () => {
              globalThis.isAsked = true
            })
            """)
        try await person.press(button)
        try await browser.wait(for: "globalThis.isAsked")
        try await browser.script(
            """
            const input = document.querySelector('main input[type=file]')
            const files = new DataTransfer()
            files.items.add(new File([given[0]], 'application.xml'))
            input.files = files.files
            input.dispatchEvent(new Event('change', { bubbles: true }))
            """, .string(text))
    }
}
