import DefinitionModel

/// A value that a query can use: one of the record or of a record to which it has a relation.
struct Operand: Hashable, Sendable {
    /// The relation to the record with the value; nil for the record itself.
    let relation: Step?
    let property: Property

    /// A relation field and the model to which it refers.
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
        /// The stamps of creation and last change.
        case createdAt, changedAt
        case deleted
        /// The opaque id, or the guid of a record without one.
        case id
        /// The distance of the point in a field from another point, in meters.
        case distance(String, from: GeoPosition)

        /// The type as which the values are read and compared.
        var type: FieldTypeName {
            switch self {
            case .field(_, let type): type
            case .guid: .belongsTo
            case .owner, .group, .id: .text
            case .conflicted, .deleted: .boolean
            case .createdAt, .changedAt: .date
            case .distance: .decimal
            }
        }

        var isField: Bool { fieldName != nil }

        /// The field with the value.
        var fieldName: String? {
            switch self {
            case .field(let name, _), .distance(let name, _): name
            case .guid, .owner, .group, .conflicted, .createdAt, .changedAt, .deleted, .id: nil
            }
        }

        /// Whether a query can use the value of a related record.
        var isRelated: Bool {
            switch self {
            case .field, .guid, .owner, .group, .conflicted: true
            case .createdAt, .changedAt, .deleted, .id, .distance: false
            }
        }
    }
}

extension Operand {
    /// The operands that exist in every model.
    static let properties: [String: Property] = [
        "$guid": .guid, "$owner": .owner, "$group": .group, "$conflicted": .conflicted,
        "$createdAt": .createdAt, "$changedAt": .changedAt, "$deleted": .deleted, "$id": .id,
    ]

    static let changedAt = Operand(relation: nil, property: .changedAt)
}

/// A kind of value. Values of the same kind can be compared.
enum ValueKind: Hashable, Sendable {
    case text, number, boolean, date, guid, file

    /// Whether queries may use range comparisons.
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
