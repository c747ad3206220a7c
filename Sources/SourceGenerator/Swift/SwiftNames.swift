import DefinitionModel

extension NamingRules {
    /// Every type's name begins with the prefix.
    static func swift(prefix: Prefix) -> NamingRules {
        NamingRules(
            language: "Swift",
            models: .swiftTypes(
                prefix: prefix.text, support: SwiftSupportNames(prefix: prefix).all),
            fields: .swiftProperties)
    }
}

extension NamingRule {
    /// Names of types and, since each type has a file, of files: on some disks two files cannot
    /// differ by case alone.
    static func swiftTypes(prefix: String, support: [String]) -> NamingRule {
        let shared = Set(support.map { $0.lowercased() })
        let remedy = "generate with \(prefix.isEmpty ? "a" : "another") prefix"
        return NamingRule(
            noun: "type", taken: SwiftWords.takenTypes.union(support), suffix: "Model",
            remedy: { shared.contains($0.lowercased()) ? nil : remedy },
            spelled: { typeName($0, prefix: prefix) }, fold: { $0.lowercased() })
    }

    static let swiftProperties = NamingRule(
        noun: "property", taken: SwiftWords.takenMembers, suffix: "Field",
        keywords: SwiftWords.keywords, spelled: propertyName, quote: { "`\($0)`" })
}

/// `work_order` with the prefix `MMD` is `MMDWorkOrder`.
private func typeName(_ model: String, prefix: String) -> String {
    let name = model.split(separator: "_").map(capitalized).joined()
    let isStart = name.first?.isLetter ?? false
    return prefix + (prefix.isEmpty && !isStart ? "Model" : "") + name
}

/// `unit_price` is `unitPrice`, `Title` is `title`, `URLPath` is `urlPath`.
@Sendable private func propertyName(_ field: String) -> String {
    guard !isPropertyName(field) else { return field }
    let parts = field.split(separator: "_")
    let name =
        parts.prefix(1).map(uncapitalized).joined() + parts.dropFirst().map(capitalized).joined()
    return name.first?.isLetter ?? false ? name : "field" + name
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
