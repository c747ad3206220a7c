import Administration
import JSON

/// Input by keys and the mouse.
extension Browser {
    /// A key that is no character.
    enum Key: String, Sendable {
        case tab = "Tab"
        case enter = "Enter"
        case escape = "Escape"
        case space = "Space"
        case backspace = "Backspace"
        case left = "ArrowLeft"
        case up = "ArrowUp"
        case right = "ArrowRight"
        case down = "ArrowDown"

        /// The character that it types; nil for none.
        fileprivate var text: String? {
            switch self {
            case .enter: "\r"
            case .space: " "
            case .tab, .escape, .backspace, .left, .up, .right, .down: nil
            }
        }

        /// The number that Windows has for it.
        fileprivate var number: Int64 {
            switch self {
            case .backspace: 8
            case .tab: 9
            case .enter: 13
            case .escape: 27
            case .space: 32
            case .left: 37
            case .up: 38
            case .right: 39
            case .down: 40
            }
        }
    }

    /// A key that is held while others are pressed; the value is its bit in the protocol.
    enum Modifier: Int64, Sendable {
        case alt = 1
        case control = 2
        case shift = 8
    }

    func press(_ key: Key, holding modifier: Modifier? = nil) async throws {
        try await press(
            [
                "key": .string(key == .space ? " " : key.rawValue), "code": .string(key.rawValue),
                "windowsVirtualKeyCode": .integer(key.number),
            ], typing: key.text, holding: modifier)
    }

    /// Presses the keys of a text, one after the other, while a modifier is held.
    func type(_ text: String, holding modifier: Modifier? = nil) async throws {
        for character in text {
            let letter = character.uppercased().utf8.first ?? 0
            let isPlain = character.isASCII && (character.isLetter || character.isNumber)
            var key: [String: JSONValue] = ["key": .string(String(character))]
            if isPlain { key["windowsVirtualKeyCode"] = .integer(Int64(letter)) }
            try await press(key, typing: String(character), holding: modifier)
        }
    }

    /// With Control a key types nothing.
    private func press(
        _ key: [String: JSONValue], typing text: String?, holding modifier: Modifier?
    ) async throws {
        var down = key
        down["modifiers"] = .integer(modifier?.rawValue ?? 0)
        down["type"] = "rawKeyDown"
        if let text, modifier != .control {
            down["type"] = "keyDown"
            down["text"] = .string(text)
        }
        try await chrome("Input.dispatchKeyEvent", down)
        down["type"] = "keyUp"
        down["text"] = nil
        try await chrome("Input.dispatchKeyEvent", down)
    }

    /// Where something is, in CSS pixels of the window.
    struct Point: Sendable {
        let x: JSONValue
        let y: JSONValue
    }

    enum MouseAct: String {
        case move = "mouseMoved"
        case press = "mousePressed"
        case release = "mouseReleased"
    }

    func mouse(_ act: MouseAct, at point: Point) async throws {
        try await chrome(
            "Input.dispatchMouseEvent",
            [
                "type": .string(act.rawValue), "x": point.x, "y": point.y,
                "button": .string(act == .move ? "none" : "left"),
                "clickCount": .integer(act == .move ? 0 : 1),
            ])
    }

    /// Waits until nothing covers an element and it no longer moves, and returns its middle.
    /// `kind` is a function of `pageScript`.
    func place(of kind: String, _ name: String, in area: String?) async throws -> Point {
        let place = try await wait(
            for: "placeOf(\(kind)(given[0], given[1]))", .string(name), JSONValue(text: area))
        guard let x = place.member("x"), let y = place.member("y") else {
            throw Unexpected("no place of '\(name)': \(place.text)")
        }
        return Point(x: x, y: y)
    }

    /// Clicks at the middle of an element. The page may replace it meanwhile, or move it away: then
    /// the click is repeated.
    func click(_ kind: String, _ name: String, in area: String?) async throws {
        while true {
            let point = try await place(of: kind, name, in: area)
            do {
                try await script(
                    "watchClick(\(kind)(given[0], given[1]))", .string(name), JSONValue(text: area))
                for act in [MouseAct.move, .press, .release] { try await mouse(act, at: point) }
                // Another page knows nothing of it: the click led there.
                let hasClicked = try await script("return globalThis.hasClicked ?? true")
                if hasClicked == .boolean(true) { return }
            } catch let error as BrowserError where error.isOfLeftPage {
                return
            }
        }
    }
}
