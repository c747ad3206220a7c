import DefinitionModel

extension FieldTypeName {
    /// The type that corresponds to a name of a type in SQL or in programming languages, in upper
    /// or lower case: `TEXT` to `String` or `varchar`. Nil for other names.
    init?(nameElsewhere name: String) {
        guard let type = typesElsewhere[name.uppercased()] else { return nil }
        self = type
    }
}

private let typesElsewhere: [String: FieldTypeName] = Dictionary(
    uniqueKeysWithValues: FieldTypeName.allCases.flatMap { type in
        type.namesElsewhere.map { ($0, type) }
    })

extension FieldTypeName {
    fileprivate var namesElsewhere: [String] {
        switch self {
        case .text:
            ["STRING", "STR", "VARCHAR", "CHAR", "NVARCHAR", "CLOB", "ENUM", "UUID", "GUID"]
        case .integer: ["INT", "INT32", "INT64", "LONG", "BIGINT", "SMALLINT", "SHORT", "COUNT"]
        case .decimal: ["FLOAT", "DOUBLE", "REAL", "NUMERIC", "NUMBER", "MONEY", "CURRENCY"]
        case .boolean: ["BOOL", "BIT", "FLAG", "YESNO"]
        case .date: ["DATETIME", "DATE_TIME", "TIMESTAMP", "TIME", "INSTANT", "DAY"]
        case .belongsTo: ["RELATION", "REFERENCE", "REF", "FOREIGN_KEY", "LINK", "POINTER"]
        case .file: ["BLOB", "BINARY", "BYTES", "DATA", "IMAGE", "PHOTO", "ATTACHMENT"]
        }
    }
}
