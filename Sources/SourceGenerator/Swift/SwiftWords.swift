/// Words with a meaning in Swift or in the generated code.
enum SwiftWords {
    /// Legal as names in backticks. The second part are contextual keywords that start an
    /// expression where a name may stand.
    static let keywords: Set<String> = reservedWords.union([
        "any", "await", "borrow", "consume", "copy", "discard", "each", "some", "then", "unsafe",
        "yield",
    ])

    private static let reservedWords: Set<String> = [
        "associatedtype", "as", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
        "func", "guard", "if", "import", "in", "inout", "internal", "is", "let", "nil", "operator",
        "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
        "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
        "typealias", "var", "where", "while",
    ]

    /// Members of every generated model, and names that cannot be members even in backticks.
    static let takenMembers: Set<String> = [
        "guid", "owner", "group", "isConflicted", "id", "reference", "values", "hashValue", "hash",
        "encode", "init", "self",
    ]

    /// Members of every enumeration, and names that would be read as members of `Optional`.
    static let takenCases: Set<String> = [
        "other", "rawValue", "stored", "allCases", "hashValue", "hash", "encode", "init", "self",
        "none", "some",
    ]

    static let takenConstants: Set<String> = ["init", "self"]

    /// Types that the generated code refers to, types of Swift or of the library that a model would
    /// hide, and the module that tests import.
    static let takenTypes: Set<String> = [
        "Any", "AnyHashable", "AnyObject", "AppDefinition", "Array", "Bool", "Bundle", "Calendar",
        "CaseIterable", "Character", "Codable", "CodingKey", "CodingKeys", "CommandLine",
        "Comparable", "Condition", "CustomStringConvertible", "Data", "Database", "Date",
        "DateFormatter", "Decimal", "Decodable", "Decoder", "DecodingError", "Dictionary", "Double",
        "Duration", "Encodable", "Encoder", "EncodingError", "Equatable", "Error", "ExactDecimal",
        "ExpressibleByIntegerLiteral", "FileHandle", "FileManager", "FileReference", "Float",
        "Foundation", "Hashable", "Hasher", "ID", "Identifiable", "Instant", "Int", "Int16",
        "Int32", "Int64", "Int8", "JSONDecoder", "JSONEncoder", "KeyPath", "KeyedDecodingContainer",
        "KeyedEncodingContainer", "Locale", "Mirror", "Never", "Notification", "NotificationCenter",
        "Operation", "Optional", "PartialKeyPath", "Process", "ProcessInfo", "Protocol", "Query",
        "Range", "Record", "Reference", "Regex", "Result", "Self", "Sendable", "Sequence", "Set",
        "String", "Substring", "Swift", "Task", "Testing", "Thread", "TimeInterval", "TimeZone",
        "Timer", "Type", "UInt", "UInt16", "UInt32", "UInt64", "UInt8", "URL", "URLSession", "UUID",
        "UserDefaults", "Visible", "Void", "Waggle",
    ]
}
