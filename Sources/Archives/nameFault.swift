/// The fault of an entry's name; nil if the name is valid.
func nameFault(of name: [UInt8], maxBytes: Int) -> EntryFault? {
    guard !name.isEmpty else { return .nameEmpty }
    guard name.count <= maxBytes else { return .nameTooLong(bytes: name.count, max: maxBytes) }
    guard let text = String(validating: name, as: UTF8.self) else { return .nameNotUTF8 }
    let scalars = text.unicodeScalars
    guard !scalars.contains(where: { $0.properties.generalCategory == .control }) else {
        return .nameHasControlCharacter
    }
    let isPath = scalars.contains("/") || scalars.contains("\\") || text == "." || text == ".."
    return isPath ? .nameIsPath : nil
}
