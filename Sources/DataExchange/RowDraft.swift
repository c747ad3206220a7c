import ChangeRules
import DefinitionModel
import JSON
import SyncEngine

/// A row whose values are being read.
struct RowDraft {
    let line: Int
    let model: Model
    let columns: [String: Int]
    private var guid: String?
    private var owner: String?
    private var isDeleted = false
    private var fields: [String: GivenValue] = [:]
    /// The first problem.
    private var problem: RowProblem?

    /// Members that an export writes and an import does not need.
    private static let ignored: Set<String> = [
        "$model", "$group", "$revision", "$conflicted",
    ]
    private static let properties: Set<String> = ["$guid", "$owner", "$deleted"]

    init(line: Int, model: Model, columns: [String: Int]) {
        self.line = line
        self.model = model
        self.columns = columns
    }

    /// Whether a name is neither a field nor a property.
    static func isUnknown(_ name: String, in model: Model) -> Bool {
        !ignored.contains(name) && !properties.contains(name)
            && !model.fields.contains { $0.name.hasSameBytes(as: name) }
    }

    /// Sets the text of a column; nil is null.
    mutating func set(_ name: String, _ text: String?) {
        switch name {
        case "$guid": setGuid(text)
        case "$owner": owner = text
        case "$deleted": if let text { setDeleted(["true": true, "false": false][text]) }
        case _:
            guard let field = field(name) else { return }
            guard let text else {
                fields[field.name] = .null
                return
            }
            setValue(FieldValue(column: text, of: field.type.name), of: field)
        }
    }

    /// Sets a member of a JSON object.
    mutating func set(_ name: String, _ json: JSONValue) {
        switch name {
        case "$guid": if json != .null { setGuid(json.asText ?? "") }
        case "$owner":
            owner = json.asText
            if owner == nil, json != .null {
                report("illegalOwner", "'$owner' is a login, write a string", of: name)
            }
        case "$deleted": if json != .null { setDeleted(json.asFlag) }
        case _:
            guard let field = field(name) else { return }
            guard json != .null else {
                fields[field.name] = .null
                return
            }
            setValue(FieldValue(member: json, of: field.type), of: field)
        }
    }

    /// Returns the row, or the first problem with it.
    func row(
        content: [UInt8], idField: String?, naming: RowNaming
    ) -> Result<ImportedRow, RowProblem> {
        if let problem { return .failure(problem) }
        guard let id = naming.id(ofRow: content, line: line, model: model.name) else {
            return .failure(.row(line, "illegalRow", "the row cannot be identified"))
        }
        var guid = self.guid
        if guid == nil, let idField {
            let value: String? =
                if case .value(let value) = fields[idField] { value.canonicalText } else { nil }
            guard let derived = value.flatMap({ naming.guid(of: $0, model: model.name) }) else {
                return .failure(
                    RowProblem(
                        line: line, column: columns[idField], field: idField, code: "idMissing",
                        message: "'\(idField)' identifies the record, give it 1 to 255 characters"))
            }
            guid = derived
        }
        return .success(
            ImportedRow(
                line: line, bytes: content.count, model: model, guid: guid, owner: owner,
                isDeleted: isDeleted, fields: fields, columns: columns, id: id))
    }

    private mutating func field(_ name: String) -> Field? {
        if let field = model.fields.first(where: { $0.name.hasSameBytes(as: name) }) {
            return field
        }
        if !Self.ignored.contains(name) {
            let short = name.shortenedName
            report("unknownField", "'\(model.name)' has no field '\(short)', remove it", of: short)
        }
        return nil
    }

    private mutating func setValue(_ value: FieldValue?, of field: Field) {
        if let value {
            fields[field.name] = .value(value)
        } else {
            let cause = Cause(.wrongType(expected: field.type.name), field: field.name)
            let description = CauseDescription(cause)
            report(description.code, description.message, of: field.name)
        }
    }

    private mutating func setGuid(_ text: String?) {
        if let text, !isGuid(text) {
            report("illegalGuid", "'$guid' is no UUID, write 36 characters or none", of: "$guid")
        }
        guid = text
    }

    private mutating func setDeleted(_ flag: Bool?) {
        guard let flag else {
            return report("illegalFlag", "'$deleted' is true or false, write one", of: "$deleted")
        }
        isDeleted = flag
    }

    private mutating func report(_ code: String, _ message: String, of field: String) {
        problem =
            problem
            ?? RowProblem(
                line: line, column: columns[field], field: field, code: code, message: message)
    }
}

extension RowProblem: Error {}

extension JSONValue {
    fileprivate var asText: String? {
        if case .string(let text) = self { text } else { nil }
    }

    fileprivate var asFlag: Bool? {
        if case .boolean(let flag) = self { flag } else { nil }
    }
}
