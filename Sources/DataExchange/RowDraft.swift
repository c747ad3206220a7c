import ChangeRules
import DefinitionModel
import ForeignValues
import JSON
import SyncEngine

/// A row whose values are being read.
struct RowDraft {
    let line: Int
    let columns: RowColumns
    /// The numbers of the columns of a CSV file; see `Column.problemName`.
    let numbers: [String: Int]
    private var guid: String?
    private var opaqueID: String?
    private var owner: String?
    private var isDeleted = false
    private var fields: [String: GivenValue] = [:]
    private var relatedIDs: [String: RelatedID] = [:]
    private var leftOut: Set<LeftOutValue> = []
    /// The first problem.
    private var problem: RowProblem?

    init(line: Int, columns: RowColumns, numbers: [String: Int] = [:]) {
        self.line = line
        self.columns = columns
        self.numbers = numbers
    }

    private var model: Model { columns.model }
    private var source: RowSource { columns.source }

    /// Sets the text of a column; nil is null.
    mutating func set(_ name: String, _ text: String?) {
        switch columns[name] {
        case nil: reportUnknown(name)
        case .ignored?: break
        case .leftOut(let kind)?: if text != nil { leftOut.insert(kind) }
        case .guid?: setGuid(text)
        case .opaqueID?: setOpaqueID(text)
        case .owner?: owner = text
        case .deletion?: if let text { setDeleted(source.flag(text)) }
        case .field(let field)?: set(field, text.map { source.value($0, of: field) } ?? .null)
        }
    }

    /// Sets a member of a JSON object.
    mutating func set(_ name: String, _ json: JSONValue, in definition: Definition) {
        if source == .parse, json.isOfParse("Relation") {
            leftOut.insert(.relations)
            return
        }
        switch columns[name] {
        // Clients of other services send every column that they know.
        case nil: if json != .null || source == .waggle { reportUnknown(name) }
        case .ignored?: break
        case .leftOut(let kind)?: if json != .null { leftOut.insert(kind) }
        case .guid?: if json != .null { setGuid(json.asText ?? "") }
        case .opaqueID?: if json != .null { setOpaqueID(json.asID ?? "") }
        case .owner?:
            owner = json.asText
            if owner == nil, json != .null {
                report("illegalOwner", "'$owner' is a login, write a string", of: name)
            }
        case .deletion?: if json != .null { setDeleted(json.asFlag) }
        case .field(let field)?:
            set(field, source.value(json, of: field, in: definition))
            if source == .parse, field.type.format?.kind == .json, json.hasParseFile {
                leftOut.insert(.files)
            }
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
        if guid == nil, opaqueID == nil, let idField {
            let value: String? =
                if case .value(let value) = fields[idField] { value.canonicalText } else { nil }
            guard let derived = value.flatMap({ naming.guid(of: $0, model: model.name) }) else {
                return .failure(
                    RowProblem(
                        line: line, column: numbers[idField], field: idField, code: "idMissing",
                        message: "'\(idField)' identifies the record, give it 1 to 255 characters"))
            }
            guid = derived
        }
        return .success(
            ImportedRow(
                line: line, bytes: content.count, model: model, guid: guid, opaqueID: opaqueID,
                owner: owner, isDeleted: isDeleted, fields: fields, relatedIDs: relatedIDs,
                columns: numbers, leftOut: leftOut, id: id))
    }

    private mutating func set(_ field: Field, _ value: RowValue) {
        switch value {
        case .null: fields[field.name] = .null
        case .value(let value): fields[field.name] = .value(value)
        case .related(let related) where RecordNaming.isLegal(related.id):
            relatedIDs[field.name] = related
        case .leftOut(let kind): leftOut.insert(kind)
        case .related, .wrong:
            let cause = Cause(.wrongType(expected: field.type.name), field: field.name)
            let description = CauseDescription(cause)
            let values = source.values(of: field.type, inColumn: numbers[field.name] != nil)
            let message = values.map { "'\(field.name)' takes \($0)" }
            report(description.code, message ?? description.message, of: field.name)
        }
    }

    private mutating func setGuid(_ text: String?) {
        if let text, !isGuid(text) {
            report("illegalGuid", "'$guid' is no UUID, write 36 characters or none", of: "$guid")
        }
        guid = text
    }

    private mutating func setOpaqueID(_ text: String?) {
        if let text, !RecordNaming.isLegal(text) {
            report("illegalID", "the id of a record has 1 to 255 characters", of: "$id")
        }
        opaqueID = text
    }

    private mutating func setDeleted(_ flag: Bool?) {
        guard let flag else {
            return report("illegalFlag", "'$deleted' is true or false, write one", of: "$deleted")
        }
        isDeleted = flag
    }

    private mutating func reportUnknown(_ name: String) {
        let short = name.shortenedName
        report("unknownField", "'\(model.name)' has no field '\(short)', remove it", of: short)
    }

    private mutating func report(_ code: String, _ message: String, of field: String) {
        problem =
            problem
            ?? RowProblem(
                line: line, column: numbers[field], field: field, code: code, message: message)
    }
}

extension RowProblem: Error {}

extension RecordNaming {
    /// Whether wires with opaque ids may call a record so.
    fileprivate static func isLegal(_ id: String) -> Bool {
        !id.isEmpty && id.utf16.count <= maxLength
    }
}

extension JSONValue {
    fileprivate var asText: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The ids of Mobile Services may be numbers.
    fileprivate var asID: String? {
        if case .integer(let number) = self { String(number) } else { asText }
    }

    fileprivate var asFlag: Bool? {
        if case .boolean(let flag) = self { flag } else { nil }
    }
}
