import DefinitionModel
import ForeignValues
import JSON

/// The columns that rows of a model may have, by the names that their service gives them.
struct RowColumns: Sendable {
    /// The part of a record that a column sets.
    enum Column: Sendable {
        case guid, opaqueID, owner, deletion
        case field(Field)
        case leftOut(LeftOutValue)
        /// An export writes it, and an import does not need it.
        case ignored
    }

    let source: RowSource
    let model: Model
    private let fields: [String: Field]

    init(_ source: RowSource, of model: Model) {
        self.source = source
        self.model = model
        fields = Dictionary(
            model.fields.map { (Self.key(source.name(of: $0), of: source), $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Nil for a name that no column has.
    subscript(name: String) -> Column? {
        if let property = Self.properties[name] { return property }
        switch source {
        case .waggle: return field(name)
        case .azure:
            if name.lowercased() == "id" { return .opaqueID }
            return field(name) ?? SystemProperty(written: name).map(column)
        case .parse:
            if name == "objectId" { return .opaqueID }
            if name == "ACL" { return .leftOut(.accessLists) }
            return Self.stampsOfParse.contains(name) ? .ignored : field(name)
        }
    }

    /// Whether a member of a row belongs to the model. The mark of a relation is that of another.
    func takes(_ name: String, _ value: JSONValue) -> Bool {
        self[name] != nil || value.isOfParse("Relation")
    }

    /// Properties of Waggle's own rows, which those of other services may have too.
    private static let properties: [String: Column] = [
        "$guid": .guid, "$id": .opaqueID, "$owner": .owner, "$deleted": .deletion,
        "$model": .ignored, "$group": .ignored, "$revision": .ignored, "$conflicted": .ignored,
    ]
    private static let stampsOfParse: Set<String> = [
        "createdAt", "updatedAt", "className", "__type",
    ]

    private func column(of property: SystemProperty) -> Column {
        switch property {
        case .deleted: .deletion
        case .createdAt, .updatedAt, .version: .ignored
        }
    }

    private func field(_ name: String) -> Column? {
        guard let field = fields[Self.key(name, of: source)] else { return nil }
        guard source == .azure || source.name(of: field).hasSameBytes(as: name) else { return nil }
        return .field(field)
    }

    /// Columns of Azure match in any case.
    private static func key(_ name: String, of source: RowSource) -> String {
        source == .azure ? name.lowercased() : name
    }
}

extension RowColumns.Column {
    /// The name under which a problem with the column finds its number; nil for one whose values
    /// have no problems.
    var problemName: String? {
        switch self {
        case .guid: "$guid"
        case .opaqueID: "$id"
        case .owner: "$owner"
        case .deletion: "$deleted"
        case .field(let field): field.name
        case .leftOut, .ignored: nil
        }
    }
}

extension RowSource {
    fileprivate func name(of field: Field) -> String {
        switch self {
        case .waggle: field.name
        case .azure, .parse: field.foreignName
        }
    }
}
