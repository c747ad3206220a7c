/// A text with `%` for any text and `_` for any one character (a Unicode scalar); `\` takes the
/// meaning from the `%`, `_` or `\` after it. Upper and lower case are two.
///
/// All ways through the pattern are followed at once, one bit for each, so a text takes time in
/// proportion to its length, whatever the pattern.
struct LikePattern: Hashable, Sendable {
    static let maxCharacters = 127

    private typealias States = UInt128

    /// Bit n: the first n characters of the pattern are matched. These hold it whatever follows,
    /// since a `%` comes next.
    private var waiting: States = 0
    /// Bit n: the nth character of the pattern is `_`.
    private var wildcards: States = 0
    /// Bit n: the nth character of the pattern is this one.
    private var places: [Unicode.Scalar: States] = [:]
    private var length = 0

    /// Nil for a `\` before anything else or at the end, and for more characters than there may be.
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
