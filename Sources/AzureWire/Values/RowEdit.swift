import ChangeRules
import DefinitionModel
import ForeignValues
import JSON

/// The columns of a row as a client sent it.
///
/// Clients send the whole row with each change. The values that differ from those
/// that they have seen are the change.
struct RowEdit: Sendable {
    /// By the name of the field. Those that the client left out and means are added later.
    var values: [String: JSONValue] = [:]
    /// The `id`; nil if there is none.
    private(set) var id: String?
    /// The `version`, for clients that send no `If-Match`.
    private(set) var version: String?
    private(set) var deleted: Bool?

    init(
        _ members: [String: JSONValue], of table: Table, _ dialect: ClientGeneration
    ) throws(QuestionFault) {
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            if let field = table.column(named: name) {
                // A column that is there in several cases has the value of its own name, or of the
                // first one.
                guard values[field.name] == nil || name == field.foreignName else { continue }
                // Forms have an empty text for no row.
                let isNone = field.type.name == .belongsTo && value == .string("")
                values[field.name] = isNone ? .null : value
            } else if name == "id" {
                id = try Self.id(value)
            } else if name.lowercased() == "id" {
                throw QuestionFault("The id is written 'id', not '\(name)'.")
            } else if dialect != .services, let property = SystemProperty(written: name) {
                read(property, value)
            } else if name.hasPrefix("__") {
                throw QuestionFault("The name '\(name)' is reserved.")
            } else if value != .null {
                throw QuestionFault("The table '\(table.name)' has no column '\(name)'.")
            }
        }
    }

    private static func id(_ value: JSONValue) throws(QuestionFault) -> String? {
        switch value {
        case .null: return nil
        case .string(let text): return text.isEmpty ? nil : text
        case .boolean, .integer, .decimal, .array, .object, .unrepresentable:
            throw QuestionFault("The id must be a text.")
        }
    }

    private mutating func read(_ property: SystemProperty, _ value: JSONValue) {
        switch (property, value) {
        case (.version, .string(let text)): version = text
        case (.deleted, .boolean(let flag)): deleted = flag
        case (.version, _), (.deleted, _), (.createdAt, _), (.updatedAt, _): break
        }
    }

    /// The ids of other rows that the relations name, by the model of these rows.
    func relatedIDs(in table: Table) -> [String: Set<String>] {
        var ids: [String: Set<String>] = [:]
        for field in table.model.fields {
            guard case .belongsTo(let relation) = field.type,
                case .string(let id)? = values[field.name]
            else { continue }
            ids[relation.model, default: []].insert(id)
        }
        return ids
    }

    /// The fields of a new record. Null is as good as nothing, so that defaults apply.
    func creation(
        in table: Table, guid: (_ id: String, _ model: String) -> String?
    ) -> [String: GivenValue] {
        changes(from: nil, in: table, guid: guid).filter { $0.value != .null }
    }

    /// The fields that are set when a deleted row comes back. The client does not know its values,
    /// so null and files say nothing.
    func restored(
        in table: Table, guid: (_ id: String, _ model: String) -> String?
    ) -> [String: GivenValue] {
        let files = table.model.fields.filter { $0.type.name == .file }.map(\.name)
        return creation(in: table, guid: guid).filter { !files.contains($0.key) }
    }

    /// The fields that differ from what the client has seen, as the record shows them: a field that
    /// it does not show is changed by a value, not by null.
    func changes(
        from seen: [String: JSONValue]?, in table: Table,
        guid: (_ id: String, _ model: String) -> String?
    ) -> [String: GivenValue] {
        var changes: [String: GivenValue] = [:]
        for field in table.model.fields {
            guard let value = values[field.name] else { continue }
            let given = Self.given(value, for: field, guid)
            let shown = seen?[field.name]
            if shown == nil, seen != nil, given == .null { continue }
            if let shown, Self.isSame(value, given, shown, field.type.name) { continue }
            changes[field.name] = given
        }
        return changes
    }

    private static func given(
        _ value: JSONValue, for field: Field, _ guid: (String, String) -> String?
    ) -> GivenValue {
        switch (field.type, value) {
        case (_, .null): return .null
        case (.date, .string(let text)):
            return milliseconds(ofWritten: text).map { .value(.date(milliseconds: $0)) }
                ?? .unreadable
        case (.belongsTo(let relation), .string(let id)):
            return guid(id, relation.model).map { .value(.reference(guid: $0)) } ?? .unreadable
        case (.date, _): return .unreadable
        case (let type, _):
            return FieldValue(value, of: type.name).map { .value($0) } ?? .unreadable
        }
    }

    /// The whole numbers up to here are doubles, which are all numbers of some clients.
    private static let exactIntegers: UInt64 = 1 << 53

    private static func isSame(
        _ value: JSONValue, _ given: GivenValue, _ shown: JSONValue, _ type: FieldTypeName
    ) -> Bool {
        switch (type, given, shown) {
        case (_, .null, .null): return true
        case (.decimal, .value(.decimal(let number)), .string(let text)):
            return Double(number.description) == Double(text)
        case (.integer, _, .integer(let number)) where number.magnitude > exactIntegers:
            return value.double == Double(number)
        case (.file, _, .object(let file)): return value == file["filename"]
        case (.text, .value(let text), .string(let old)):
            return JSONValue(text) == shown || isSameTime(value, old)
        case (_, .value(let value), _): return JSONValue(value) == shown
        case (_, .null, _), (_, .unreadable, _), (_, .added, _), (_, .edited, _):
            return false
        }
    }
}

/// Whether a text is the form in which some clients write back every text that looks like a time.
private func isSameTime(_ value: JSONValue, _ old: String) -> Bool {
    guard case .string(let text) = value, old.contains("T"), old.hasSuffix("Z"),
        let time = milliseconds(ofWritten: old)
    else { return false }
    return preciseInstant(milliseconds: time) == text
}

extension JSONValue {
    /// Nil unless it is a number.
    fileprivate var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .decimal(let digits): Double(digits)
        case .null, .boolean, .string, .array, .object, .unrepresentable: nil
        }
    }
}
