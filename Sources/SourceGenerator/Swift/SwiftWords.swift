/// Words with a meaning in Swift or in the generated code.
enum SwiftWords {
    /// Legal as names in backticks. The second part are words that begin an expression where a name
    /// could stand too.
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

    /// What every generated model or its keys have, and what no backticks can make a member.
    static let takenMembers: Set<String> = [
        "guid", "owner", "group", "conflicted", "id", "hashValue", "hash", "encode", "init", "self",
        "allCases",
    ]

    /// What the generated code means something else by, and what would hide a type that an app
    /// cannot do without.
    static let takenTypes: Set<String> = [
        "Any", "AnyHashable", "AnyObject", "Array", "Bool", "Bundle", "Calendar", "CaseIterable",
        "Character", "Codable", "CodingKey", "CodingKeys", "Comparable",
        "CustomStringConvertible", "Data", "Date", "DateFormatter", "Decimal", "Decodable",
        "Decoder", "DecodingError", "Dictionary", "Double", "Duration", "Encodable", "Encoder",
        "EncodingError", "Equatable", "Error", "ExpressibleByIntegerLiteral", "FileManager",
        "Float", "Foundation", "Hashable", "Hasher", "ID", "Identifiable", "Int", "Int8", "Int16",
        "Int32", "Int64", "JSONDecoder", "JSONEncoder", "KeyPath", "KeyedDecodingContainer",
        "KeyedEncodingContainer", "Locale", "Mirror", "Never", "Notification",
        "NotificationCenter", "Operation", "Optional", "Process", "Protocol", "Range", "Regex",
        "Result", "Self", "Sendable", "Sequence", "Set", "String", "Substring", "Swift", "Task",
        "Thread", "TimeInterval", "TimeZone", "Timer", "Type", "UInt", "UInt8", "UInt16", "UInt32",
        "UInt64", "URL", "URLSession", "UUID", "UserDefaults", "Void",
    ]
}
