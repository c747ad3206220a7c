import DefinitionModel

/// `work_order` with the prefix `MMD` is `MMDWorkOrder`.
func typeName(_ model: String, prefix: String) -> String {
    let name = model.split(separator: "_").map(capitalized).joined()
    let isStart = name.first?.isLetter ?? false
    return prefix + (prefix.isEmpty && !isStart ? "Model" : "") + name
}

/// `unit_price` is `unitPrice`, `Title` is `title`, `URLPath` is `urlPath`.
@Sendable func propertyName(_ field: String) -> String {
    guard !isPropertyName(field) else { return field }
    let name = camelCase(field.split(separator: "_"))
    return name.first?.isLetter ?? false ? name : "field" + name
}

/// `workStatus` is `WorkStatus`.
@Sendable func enumerationName(_ property: String) -> String {
    capitalized(property[...])
}

/// `IN_WORK` is `inWork`, `on hold` is `onHold`, `1st` is `value1st`, and nothing is `value`.
@Sendable func caseName(_ text: String) -> String {
    let name = camelCase(text.split { !$0.isPartOfName }.map(lowered))
    return name.first?.isLetter ?? false ? name : "value" + name
}

private func camelCase(_ parts: [Substring]) -> String {
    parts.prefix(1).map(uncapitalized).joined() + parts.dropFirst().map(capitalized).joined()
}

/// As nearly all are: whether it stays as it is can be told at a glance.
private func isPropertyName(_ field: String) -> Bool {
    guard let first = field.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
    else { return false }
    return !field.utf8.contains(UInt8(ascii: "_"))
}

private func capitalized(_ word: Substring) -> String {
    word.prefix(1).uppercased() + word.dropFirst()
}

/// Lowers leading capitals, but not the one that starts the next word.
private func uncapitalized(_ word: Substring) -> String {
    let capitals = word.prefix(while: \.isUppercase).count
    let startsNext = capitals > 1 && word.dropFirst(capitals).first?.isLetter == true
    let count = startsNext ? capitals - 1 : capitals
    return word.prefix(count).lowercased() + word.dropFirst(count)
}

/// A word of capitals in small letters; another as it is.
private func lowered(_ word: Substring) -> Substring {
    word.contains(where: \.isLowercase) ? word : Substring(word.lowercased())
}

extension Character {
    /// One letter or digit that no mark is added to: what languages agree on in names.
    fileprivate var isPartOfName: Bool {
        guard let scalar = unicodeScalars.first, unicodeScalars.count == 1 else { return false }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .otherLetter: return true
        case _: return isASCII && isNumber
        }
    }
}
