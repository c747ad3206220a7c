import ChangeRules
import DefinitionModel
import JSON
import SyncEngine

/// A request to create, update or delete an object.
struct ParseOperation: Hashable, Sendable {
    let verb: ParseVerb
    let className: String
    /// Nil for a creation.
    let objectID: String?
    let body: [String: JSONValue]
    /// The revision from which the client says that it changes the object; nil if it says nothing.
    var ifRevision: Int64?
}

/// The result of an operation.
struct DoneOperation: Sendable {
    let members: [String: JSONValue]
    /// The revision of the object after the operation.
    let revision: Int64?
}

/// An operation as a change of the engine.
struct PlannedOperation: Sendable {
    let verb: ParseVerb
    let model: Model
    let change: Change
    /// The id of the object.
    let id: String
    /// The fields whose values the client does not know: those with an operator, and of a new
    /// object those with a default.
    let told: Set<String>
}

extension ParseOperation {
    /// Members of a body that are not data.
    static let systemKeys: Set<String> = [
        "objectId", "createdAt", "updatedAt", "className", "__type", "ACL", "sessionToken",
        "username",
    ]

    /// The id that a client chose for a new object.
    var ownID: String? {
        guard objectID == nil, case .string(let id)? = body["objectId"], !id.isEmpty else {
            return nil
        }
        return id
    }

    /// Reads the body. Throws 105 for a key that no object can have, and 119 for one that the
    /// model does not have.
    func fields(
        of model: ModelRules, in records: RecordTable
    ) throws(ParseFailure) -> [String: GivenValue] {
        var fields: [String: GivenValue] = [:]
        for (name, json) in body where !Self.systemKeys.contains(name) {
            guard !name.hasPrefix("_"), !name.isEmpty else {
                throw ParseFailure(105, "Invalid field name: \(name).")
            }
            guard let field = model.field(foreign: name) else {
                throw .unknownField(of: className)
            }
            fields[field.name] = try GivenValue(parse: json, for: field, in: records)
        }
        return fields
    }

    /// The fields to tell.
    func told(setting fields: [String: GivenValue], of model: Model) -> Set<String> {
        var told = Set(fields.filter { $0.value.isAddition }.keys)
        if verb == .post {
            told.formUnion(
                model.fields.filter { $0.defaultValue != nil && fields[$0.name] == nil }
                    .map(\.name))
        }
        return told
    }
}

extension GivenValue {
    fileprivate var isAddition: Bool {
        switch self {
        case .added: true
        case .null, .value, .unreadable: false
        }
    }
}
