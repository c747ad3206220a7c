import DefinitionModel

/// What can be asked of a record: a value of its own, or of a record that it belongs to.
struct Operand: Hashable, Sendable {
    /// The relation that leads to the record with the value; nil for the record itself.
    let relation: Step?
    let property: Property

    /// One step from a record to another.
    struct Step: Hashable, Sendable {
        let field: String
        let model: String
    }

    enum Property: Hashable, Sendable {
        case field(String, FieldTypeName)
        case guid
        case owner
        case group
        case conflicted

        /// As which its values are read and compared.
        var type: FieldTypeName {
            switch self {
            case .field(_, let type): type
            case .guid: .belongsTo
            case .owner, .group: .text
            case .conflicted: .boolean
            }
        }
    }
}

extension Operand {
    /// What nobody has to look up in a definition.
    static let properties: [String: Property] = [
        "$guid": .guid, "$owner": .owner, "$group": .group, "$conflicted": .conflicted,
    ]
}

/// Types whose values can be compared with each other.
enum ValueKind: Hashable, Sendable {
    case text, number, boolean, date, guid, file

    /// Whether of two values one is the lesser in a way that somebody may ask for.
    var hasRanges: Bool {
        switch self {
        case .text, .number, .date: true
        case .boolean, .guid, .file: false
        }
    }

    var canBeSorted: Bool {
        switch self {
        case .text, .number, .boolean, .date, .guid: true
        case .file: false
        }
    }
}

extension FieldTypeName {
    var kind: ValueKind {
        switch self {
        case .text: .text
        case .integer, .decimal: .number
        case .boolean: .boolean
        case .date: .date
        case .belongsTo: .guid
        case .file: .file
        }
    }
}
