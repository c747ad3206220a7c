import Administration
import JSON

/// A person at a browser, who uses a mouse, or the keyboard alone.
struct Person: Sendable {
    enum Hand: String, CaseIterable, Sendable {
        case mouse, keyboard
    }

    let browser: Browser
    let hand: Hand
    /// Counts what the person does; nil to count nothing.
    var effort: Effort?

    /// More than any page has to step through.
    private static let steps = 400

    // MARK: Looking

    /// Waits until a text is to be seen, in the area of that name.
    func sees(_ text: String, in area: String? = nil) async throws {
        try await browser.wait(
            for: "shows(given[0], given[1])", .string(text), JSONValue(text: area))
    }

    /// Waits until a text is no more to be seen.
    func losesSight(of text: String, in area: String? = nil) async throws {
        try await browser.wait(
            for: "!shows(given[0], given[1])", .string(text), JSONValue(text: area))
    }

    // MARK: Acting

    /// Presses a button, a link, a switch or a box.
    func press(_ name: String, in area: String? = nil) async throws {
        effort?.click()
        switch hand {
        case .mouse: try await click("button", name, area)
        case .keyboard:
            _ = try await find("button", name, area)
            try await step(to: "button", name, area)
            switch try await browser.script("return document.activeElement.type").string {
            case "radio": break
            case "checkbox": try await browser.press(.space)
            default: try await browser.press(.enter)
            }
        }
    }

    /// Replaces the text of a field.
    func fill(_ label: String, with text: String, in area: String? = nil) async throws {
        effort?.click()
        effort?.type(text)
        try await reach("field", label, area)
        try await browser.type("a", holding: "\u{E009}")
        try await browser.type(text.isEmpty ? "\u{E003}" : text)
    }

    /// Chooses an option of a list by its first letters.
    func choose(_ option: String, of label: String, in area: String? = nil) async throws {
        effort?.click()
        effort?.type(option)
        try await reach("field", label, area)
        if hand == .mouse { try await browser.press(.escape) }
        try await browser.type(option)
        try await browser.wait(
            for: "words(field(given[0], given[1])?.selectedOptions?.[0]?.textContent)"
                + ".startsWith(given[2])",
            .string(label), JSONValue(text: area), .string(option))
    }

    /// Leaves the field that has the focus, which applies what was typed.
    func leaveField() async throws { try await browser.press(.tab) }

    private func reach(_ kind: String, _ name: String, _ area: String?) async throws {
        switch hand {
        case .mouse: try await click(kind, name, area)
        case .keyboard:
            _ = try await find(kind, name, area)
            try await step(to: kind, name, area)
        }
    }

    private func find(_ kind: String, _ name: String, _ area: String?) async throws -> JSONValue {
        try await browser.wait(
            for: "\(kind)(given[0], given[1])", .string(name), JSONValue(text: area))
    }

    /// Finds the element again if the page has replaced it meanwhile.
    private func click(_ kind: String, _ name: String, _ area: String?) async throws {
        while true {
            let element = try await find(kind, name, area)
            guard case .object(let members) = element, let id = members.values.first?.string else {
                throw Unexpected("no element: \(element.text)")
            }
            do {
                try await browser.script(
                    "arguments[0].scrollIntoView({ block: 'center' })", element)
                try await browser.call("POST", "/element/\(id)/click")
                return
            } catch let error as BrowserError where error.isOfLeftPage {
                continue
            }
        }
    }

    /// Presses Tab until the element has the focus; of radio buttons Tab leads to one only, and the
    /// arrows choose.
    private func step(to kind: String, _ name: String, _ area: String?) async throws {
        let question = """
            const target = \(kind)(arguments[0], arguments[1]), present = document.activeElement
            if (present === target) return 'there'
            const isNear = present.type === 'radio' && present.name === target?.name
            return isNear ? 'near' : 'away'
            """
        for _ in 0..<Self.steps {
            let place = try await browser.script(question, .string(name), JSONValue(text: area))
            switch place.string {
            case "there": return
            case "near": try await browser.press(.down)
            default: try await browser.press(.tab)
            }
        }
        throw Unexpected("Tab does not lead to '\(name)'")
    }
}
