import ChangeRules
import DefinitionModel
import ForeignValues

/// A model as a table. Tables and columns are found by their names in any case.
///
/// A field whose name rows have for something else is no column: `id`, and system properties of the
/// client's generation.
struct Table: Hashable, Sendable {
    /// Without the fields that are no columns.
    let model: Model
    /// Whether there are fields that are no columns.
    let hidesFields: Bool
    private let columns: [String: Int]

    init(_ whole: Model, for dialect: ClientGeneration) {
        let known = whole.fields.filter { !dialect.reserves($0.foreignName) }
        hidesFields = known.count < whole.fields.count
        model =
            hidesFields
            ? Model(
                name: whole.name, description: whole.description, renamedFrom: whole.renamedFrom,
                conflictMode: whole.conflictMode, fields: known, credentials: whole.credentials,
                writtenExtensions: whole.writtenExtensions, place: whole.place) : whole
        columns = Dictionary(
            model.fields.enumerated().map { ($1.foreignName.lowercased(), $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Nil if the definition has no such table.
    init?(named name: String, in definition: Definition, for dialect: ClientGeneration) {
        let name = name.lowercased()
        guard let model = definition.models.first(where: { $0.foreignName.lowercased() == name })
        else { return nil }
        self.init(model, for: dialect)
    }

    /// The name that clients know.
    var name: String { model.foreignName }

    func column(named name: String) -> Field? {
        columns[name.lowercased()].map { model.fields[$0] }
    }

    /// Whether rows have the column; every row has an id.
    func hasColumn(named name: String) -> Bool {
        name.lowercased() == "id" || column(named: name) != nil
    }

    /// The operand of a find for a column, the id or a system property.
    func operand(named name: String) throws(QuestionFault) -> TableOperand {
        if let field = column(named: name) { return .field(field) }
        if name.lowercased() == "id" { return .id }
        guard let property = SystemProperty(written: name) else {
            throw QuestionFault("The table '\(self.name)' has no column '\(name)'.")
        }
        switch property {
        case .createdAt: return .createdAt
        case .updatedAt: return .updatedAt
        case .deleted: return .deleted
        case .version: throw QuestionFault("Rows cannot be found by their version.")
        }
    }

    /// The same for the order of a list. A version counts the changes of its own row, so an order
    /// by versions would mean nothing.
    func sortOperand(named name: String) throws(QuestionFault) -> TableOperand {
        if column(named: name) == nil, SystemProperty(written: name) == .version {
            throw QuestionFault(
                "Rows cannot be sorted by their version, but by the time of their last change.")
        }
        let operand = try operand(named: name)
        guard operand.type != .file else {
            throw QuestionFault("The column '\(name)' has files, by which rows cannot be sorted.")
        }
        return operand
    }
}

/// A value of a row that a question can compare.
enum TableOperand: Hashable, Sendable {
    case field(Field)
    case id, createdAt, updatedAt, deleted

    /// As a find names it.
    var name: String {
        switch self {
        case .field(let field): field.name
        case .id: "$id"
        case .createdAt: "$createdAt"
        case .updatedAt: "$changedAt"
        case .deleted: "$deleted"
        }
    }

    var type: FieldTypeName {
        switch self {
        case .field(let field): field.type.name
        case .id: .text
        case .createdAt, .updatedAt: .date
        case .deleted: .boolean
        }
    }

    /// The model to whose rows the values of a relation refer.
    var target: String? {
        guard case .field(let field) = self, case .belongsTo(let relation) = field.type else {
            return nil
        }
        return relation.model
    }
}
