import DefinitionModel

/// What a new package is called, checked: its folder and its program have the name as it is, and
/// names in its code are made from it.
struct ProjectName: Hashable, Sendable {
    static let maxLength = 40

    let text: String

    /// No package can be called like one that it depends on, upper and lower case being the same.
    init(_ text: String, library: LibraryPlace) throws(GeneratorError) {
        guard text.utf8.count <= Self.maxLength, text.utf8.first.map(isLetter) ?? false,
            text.utf8.allSatisfy({ isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") })
        else { throw .illegalProjectName(text) }
        let name = text.lowercased()
        guard name != library.identity.lowercased(), !Self.taken.contains(name) else {
            throw .takenProjectName(text)
        }
        self.text = text
    }

    /// Of the packages that come with the library, those whose names would be legal here.
    static let taken: Set<String> = ["waggle", "hummingbird"]
}

private func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}

private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}
