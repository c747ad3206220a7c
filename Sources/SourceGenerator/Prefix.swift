/// A checked prefix for the names of generated types: empty, or legal at the start of a type name.
struct Prefix: Hashable, Sendable {
    /// The longest name that a definition allows fits on a line of generated code with a prefix of
    /// this length.
    static let maxLength = 10

    static let none = Prefix(checked: "")

    let text: String

    private init(checked text: String) {
        self.text = text
    }

    init(_ text: String) throws(GeneratorError) {
        let isLegal =
            text.utf8.count <= Self.maxLength && text.utf8.allSatisfy(isLetterOrDigit)
            && text.utf8.first.map(isCapital) ?? true
        guard isLegal else { throw .illegalPrefix(text) }
        self.text = text
    }
}

private func isCapital(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
    isCapital(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}
