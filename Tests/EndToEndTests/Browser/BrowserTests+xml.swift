import JSON
import Testing

/// The text of the draft, as it is typed and as it is kept.
extension BrowserTests {
    /// An area of text has other ends of lines than the file.
    @Test func endsOfLinesStay() async throws {
        try await ConsoleVisit.run { visit in
            let (person, label) = (visit.person, "The definition as XML")
            let text = try definition("Conflicts").replacing("\n", with: "\r\n")
            let session = try await visit.server.adminSession("ann")
            try await visit.begin(with: text)
            try await visit.browser.open("/console/xml")
            let shown = try await visit.text()
            try await visit.paste(
                try shown.changing("One to five", to: "From one to five"), into: label)
            try await person.sees("saving", in: "Draft")
            try await person.sees("saved", in: "Draft")
            #expect(
                try await visit.draft("large", as: session).text
                    == text.changing("One to five", to: "From one to five"))
            try await person.press("Undo")
            try await visit.browser.wait(
                for: "field(given[0], null).value === given[1]", .string(label), .string(shown))
        }
    }

    /// A problem leads to its line, and Tab out of the text.
    @Test(arguments: Person.Hand.allCases)
    func problemLeadsToItsLine(hand: Person.Hand) async throws {
        try await ConsoleVisit.run(hand: hand) { visit in
            let (person, browser) = (visit.person, visit.browser)
            try await visit.design("Conflicts", on: "xml")
            try await visit.paste(
                try await visit.text().changing(#"defaultValue="1""#, to: #"defaultValue="7""#),
                into: "The definition as XML")
            try await person.sees("the default '7' is more than 5", in: "Problems")
            let line = try await browser.wait(
                for: "document.querySelector('#problems a').textContent")
            try await person.press(line.string ?? "", in: "Problems")
            let chosen = try await browser.wait(
                for: "(({ value, selectionStart, selectionEnd }) => "
                    + "value.slice(selectionStart, selectionEnd))"
                    + "(field('The definition as XML', null))")
            #expect(chosen.string?.contains(#"defaultValue="7""#) == true, "\(chosen)")
            try await browser.wait(for: "document.activeElement.matches('textarea')")
            try await browser.press(.tab)
            let isIn = try await browser.script("return document.activeElement.matches('textarea')")
            #expect(isIn == .boolean(false))
        }
    }

    /// A text that did not arrive is sent before something else is done.
    @Test func textThatFailsStays() async throws {
        try await ConsoleVisit.run { visit in
            let (person, browser, label) = (visit.person, visit.browser, "The definition as XML")
            try await visit.design("Conflicts", on: "models")
            try await person.press("unique", in: "Field title")
            try await person.sees("saved", in: "Draft")
            try await browser.open("/console/xml")
            let text = try await visit.text().changing("One to five", to: "Typed")
            try await browser.script(
                "globalThis.real = fetch; globalThis.fetch = () => Promise.reject(new TypeError())")
            try await visit.paste(text, into: label)
            try await person.sees("The server cannot be reached")
            try await browser.script("globalThis.fetch = real")
            try await person.press("Undo")
            try await browser.wait(
                for: "!field(given[0], null).value.includes('Typed')", .string(label))
            try await person.press("Redo")
            try await browser.wait(
                for: "field(given[0], null).value === given[1]", .string(label), .string(text))
        }
    }
}
