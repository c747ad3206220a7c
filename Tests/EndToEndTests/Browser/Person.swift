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
        case .mouse: try await browser.click("button", name, in: area)
        case .keyboard:
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
        try await browser.type("a", holding: .control)
        if text.isEmpty { try await browser.press(.backspace) }
        try await browser.type(text)
    }

    /// Chooses an option of a list by its first letters.
    func choose(_ option: String, of label: String, in area: String? = nil) async throws {
        effort?.click()
        effort?.type(option)
        let isChosen = """
            words(field(given[0], given[1])?.selectedOptions?.[0]?.textContent).startsWith(given[2])
            """
        let (name, place) = (JSONValue.string(label), JSONValue(text: area))
        // Letters that come slowly begin a new word, and choose another option.
        for _ in 0..<10 {
            try await focus(list: label, area)
            try await browser.wait(for: "takesNewWord(field(given[0], given[1]))", name, place)
            if try await type(option, until: isChosen, name, place) { break }
        }
        try await browser.wait(for: isChosen, name, place, .string(option))
    }

    private func focus(list label: String, _ area: String?) async throws {
        switch hand {
        // The list that a click opens is none of the page's, and covers it.
        case .mouse:
            try await browser.wait(
                for: "field(given[0], given[1])?.focus() === undefined "
                    + "&& document.activeElement === field(given[0], given[1])",
                .string(label), JSONValue(text: area))
        case .keyboard: try await step(to: "field", label, area)
        }
    }

    /// Returns false if the option is not chosen by its last letter. Does not type only the letters
    /// that are left then: the page may have drawn the list anew.
    private func type(
        _ option: String, until isChosen: String, _ name: JSONValue, _ place: JSONValue
    ) async throws -> Bool {
        for letter in option {
            try await browser.type(String(letter))
            let found = try? await browser.script(
                "noteLetter(field(given[0], given[1])); return \(isChosen)",
                name, place, .string(option))
            if found == .boolean(true) { return true }
        }
        return false
    }

    /// Leaves the field that has the focus, which applies what was typed.
    func leaveField() async throws { try await browser.press(.tab) }

    /// Presses Tab until an element of a selector has the focus.
    func tab(to selector: String) async throws {
        for _ in 0..<Self.steps {
            let isThere = try await browser.script(
                "return document.activeElement.matches(given[0])", .string(selector))
            if isThere == .boolean(true) { return }
            try await browser.press(.tab)
        }
        throw Unexpected("Tab does not lead to \(selector)")
    }

    private func reach(_ kind: String, _ name: String, _ area: String?) async throws {
        switch hand {
        case .mouse: try await browser.click(kind, name, in: area)
        case .keyboard: try await step(to: kind, name, area)
        }
    }

    /// Presses Tab until the element has the focus; of radio buttons Tab leads to one only, and the
    /// arrows choose.
    private func step(to kind: String, _ name: String, _ area: String?) async throws {
        let place = """
            (() => {
              const target = \(kind)(given[0], given[1]), present = document.activeElement
              if (!target) return null
              if (present === target) return 'there'
              const isNear = present.type === 'radio' && present.name === target.name
              return isNear ? 'near' : 'away'
            })()
            """
        for _ in 0..<Self.steps {
            switch try await browser.wait(for: place, .string(name), JSONValue(text: area)).string {
            case "there": return
            case "near": try await browser.press(.down)
            default: try await browser.press(.tab)
            }
        }
        throw Unexpected("Tab does not lead to '\(name)'")
    }
}
