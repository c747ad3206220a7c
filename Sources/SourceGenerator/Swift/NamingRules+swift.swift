import DefinitionModel

extension NamingRules {
    /// Every type name starts with the prefix.
    static func swift(prefix: Prefix) -> NamingRules {
        NamingRules(
            language: "Swift",
            models: .types(prefix: prefix.text, taken: SwiftWords.takenTypes),
            fields: .swiftMembers("property", suffix: "Field", spelled: propertyName))
    }
}

extension NamingRule {
    /// Names of types and, since each type has its own file, of files: some file systems ignore
    /// case.
    static func types(prefix: String, taken: Set<String>) -> NamingRule {
        let remedy = "generate with \(prefix.isEmpty ? "a" : "another") prefix"
        return NamingRule(
            noun: "type", taken: taken, suffix: "Model", remedy: { _ in remedy },
            spelled: { typeName($0, prefix: prefix) }, fold: { $0.lowercased() })
    }

    static func swiftMembers(
        _ noun: String, taken: Set<String> = [], suffix: String,
        spelled: @escaping @Sendable (String) -> String
    ) -> NamingRule {
        NamingRule(
            noun: noun, taken: SwiftWords.takenMembers.union(taken), suffix: suffix,
            keywords: SwiftWords.keywords, spelled: spelled, quote: { "`\($0)`" })
    }

    /// Types nested in a model's type.
    static func swiftEnumerations(taken: Set<String>) -> NamingRule {
        NamingRule(
            noun: "type", taken: SwiftWords.takenTypes.union(taken), suffix: "Value",
            spelled: enumerationName)
    }

    static let swiftCases = NamingRule(
        noun: "case", taken: SwiftWords.takenCases, suffix: "Value",
        keywords: SwiftWords.keywords, spelled: caseName, quote: { "`\($0)`" })

    static let swiftConstants = NamingRule(
        noun: "constant", taken: SwiftWords.takenConstants, suffix: "Definition",
        keywords: SwiftWords.keywords, spelled: propertyName, quote: { "`\($0)`" })
}
