import DefinitionModel

/// A checked name for a new package. It is used as it is for the folder and the program; names in
/// code are derived from it.
struct ProjectName: Hashable, Sendable {
    static let maxLength = 40

    let text: String

    /// A package must not have the name of one of its dependencies, compared without case.
    init(_ text: String, library: LibraryLocation) throws(GeneratorError) {
        guard text.utf8.count <= Self.maxLength, text.utf8.first.map(isLetter) ?? false,
            text.utf8.allSatisfy({ isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") })
        else { throw .illegalProjectName(text) }
        let name = text.lowercased()
        guard name != library.identity.lowercased(), !Self.taken.contains(name) else {
            throw .takenProjectName(text)
        }
        self.text = text
    }

    /// The dependencies of the library whose names would be legal here.
    static let taken: Set<String> = ["waggle", "hummingbird"]
}

private func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}

private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}
