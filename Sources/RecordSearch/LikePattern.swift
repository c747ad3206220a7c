/// A pattern in which `%` matches any text and `_` any one character (a Unicode scalar). `\`
/// escapes a following `%`, `_` or `\`. Matching is case-sensitive.
///
/// The matcher simulates a nondeterministic automaton with one bit per state, so the time is
/// proportional to the length of the text for every pattern.
struct LikePattern: Hashable, Sendable {
    static let maxCharacters = 127

    private typealias States = UInt128

    /// The states that stay active on any character, because `%` follows. Bit n means that the
    /// first n characters of the pattern have matched.
    private var waiting: States = 0
    /// Bit n is set if the nth character of the pattern is `_`.
    private var wildcards: States = 0
    /// Bit n is set if the nth character of the pattern is this one.
    private var places: [Unicode.Scalar: States] = [:]
    private var length = 0

    /// Returns nil if `\` stands before another character or at the end, or if the pattern is too
    /// long.
    init?(_ text: String) {
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if scalar == "%" {
                waiting |= 1 << length
                continue
            }
            guard length < Self.maxCharacters else { return nil }
            length += 1
            if scalar == "_" {
                wildcards |= 1 << length
            } else if scalar != "\\" {
                places[scalar, default: 0] |= 1 << length
            } else if let escaped = rest.popFirst(), "%_\\".unicodeScalars.contains(escaped) {
                places[escaped, default: 0] |= 1 << length
            } else {
                return nil
            }
        }
    }

    func matches(_ text: String) -> Bool {
        var states: States = 1
        for scalar in text.unicodeScalars {
            let next = (states << 1) & (wildcards | places[scalar, default: 0])
            states = next | (states & waiting)
            if states == 0 { return false }
        }
        return states & (1 << length) != 0
    }
}
