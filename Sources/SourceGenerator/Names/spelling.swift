import DefinitionModel

/// `work_order` with the prefix `MMD` becomes `MMDWorkOrder`.
func typeName(_ model: String, prefix: String) -> String {
    let name = model.split(separator: "_").map(capitalized).joined()
    let isStart = name.first?.isLetter ?? false
    return prefix + (prefix.isEmpty && !isStart ? "Model" : "") + name
}

/// `unit_price` becomes `unitPrice`, `Title` becomes `title`, `URLPath` becomes `urlPath`.
@Sendable func propertyName(_ field: String) -> String {
    guard !isPropertyName(field) else { return field }
    let name = camelCase(field.split(separator: "_"))
    return name.first?.isLetter ?? false ? name : "field" + name
}

/// `workStatus` becomes `WorkStatus`.
@Sendable func enumerationName(_ property: String) -> String {
    capitalized(property[...])
}

/// `IN_WORK` becomes `inWork`, `on hold` becomes `onHold`, `1st` becomes `value1st`, and an empty
/// text becomes `value`.
@Sendable func caseName(_ text: String) -> String {
    let name = camelCase(text.split { !$0.isPartOfName }.map(lowered))
    return name.first?.isLetter ?? false ? name : "value" + name
}

private func camelCase(_ parts: [Substring]) -> String {
    parts.prefix(1).map(uncapitalized).joined() + parts.dropFirst().map(capitalized).joined()
}

/// A fast path: most names are property names already.
private func isPropertyName(_ field: String) -> Bool {
    guard let first = field.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
    else { return false }
    return !field.utf8.contains(UInt8(ascii: "_"))
}

private func capitalized(_ word: Substring) -> String {
    word.prefix(1).uppercased() + word.dropFirst()
}

/// Lower-cases leading capitals, except the one that starts the next word.
private func uncapitalized(_ word: Substring) -> String {
    let capitals = word.prefix(while: \.isUppercase).count
    let startsNext = capitals > 1 && word.dropFirst(capitals).first?.isLetter == true
    let count = startsNext ? capitals - 1 : capitals
    return word.prefix(count).lowercased() + word.dropFirst(count)
}

/// A word in capitals becomes lower-case; other words stay as they are.
private func lowered(_ word: Substring) -> Substring {
    word.contains(where: \.isLowercase) ? word : Substring(word.lowercased())
}

extension Character {
    /// A letter or digit without combining marks, which every language allows in names.
    fileprivate var isPartOfName: Bool {
        guard let scalar = unicodeScalars.first, unicodeScalars.count == 1 else { return false }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .otherLetter: return true
        case _: return isASCII && isNumber
        }
    }
}
