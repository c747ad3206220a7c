import ChangeRules
import DefinitionModel
import ForeignValues
import JSON

/// A request to create, update or delete an object.
struct ParseOperation: Hashable, Sendable {
    let verb: ParseVerb
    let className: String
    /// Nil for a creation.
    let objectID: String?
    let body: [String: JSONValue]
    /// The revision from which the client says that it changes the object; nil if it says nothing.
    var ifRevision: Int64?
    /// Whether it makes an object that is missing, and that the client means to update.
    var makesMissing = false
}

/// The result of an operation.
struct DoneOperation: Sendable {
    let members: [String: JSONValue]
    /// The revision of the object after the operation.
    let revision: Int64?

    /// The answer to an update that has made its object.
    var ofUpdate: DoneOperation {
        var members = members
        members["updatedAt"] = members.removeValue(forKey: "createdAt")
        members["objectId"] = nil
        return DoneOperation(members: members, revision: revision)
    }
}

/// An operation as a change of the engine.
struct PlannedOperation: Sendable {
    let verb: ParseVerb
    let model: Model
    let change: Change
    /// The id of the object.
    let id: String
    /// The values as the client sent them.
    let body: [String: JSONValue]
    /// The fields whose values the client does not know: those with an operator, and of a new
    /// object those with a default.
    let told: Set<String>
    var edits: [RelationEdit]
}

extension [PlannedOperation] {
    /// The operations with all edits of one relation of one object in the last of them: the pairs
    /// are looked up before any is changed, so that they are to be changed once.
    func joiningEdits() -> [PlannedOperation] {
        var joined = self
        var former: [RecordKey: (number: Int, edit: RelationEdit)] = [:]
        for (number, plan) in enumerated() {
            for (index, edit) in plan.edits.enumerated() {
                let model = edit.relation.model.name
                let key = RecordKey(model: model, guid: plan.change.guid)
                var all = edit
                if let earlier = former[key] {
                    joined[earlier.number].edits.removeAll { $0.relation.model.name == model }
                    all = earlier.edit
                    all.append(edit)
                    joined[number].edits[index] = all
                }
                former[key] = (number, all)
            }
        }
        return joined
    }
}

extension ParseOperation {
    /// Members that clients send with an object as a matter of course, and that are not data.
    private static let systemKeys: Set<String> = [
        "objectId", "createdAt", "updatedAt", "className", "__type", "ACL",
    ]
    private static let systemKeysOfUsers: Set<String> = ["sessionToken", "username"]

    static func isSystemKey(_ name: String, of className: String) -> Bool {
        systemKeys.contains(name)
            || className == Model.userClass && systemKeysOfUsers.contains(name)
    }

    /// Throws 105 for a member that says of an object what it is not: it is the value of a column,
    /// which would be lost.
    ///
    /// - Parameter id: Nil if the object has none yet.
    static func checkSystemKeys(
        in body: [String: JSONValue], of className: String, id: String?
    ) throws(ParseFailure) {
        for (name, own) in [("className", className), ("__type", "Object"), ("objectId", id)] {
            guard let own, let given = body[name], given != .null, given != .string(own)
            else { continue }
            throw .badKey(name)
        }
    }

    private func isSystemKey(_ name: String) -> Bool { Self.isSystemKey(name, of: className) }

    /// The id that a client chose for a new object.
    var ownID: String? {
        guard objectID == nil, case .string(let id)? = body["objectId"], !id.isEmpty else {
            return nil
        }
        return id
    }

    /// Returns the changes of relations in the body.
    func edits(
        of model: ModelRules, _ relations: ParseRelations, in records: RecordTable
    ) throws(ParseFailure) -> [RelationEdit] {
        var edits: [RelationEdit] = []
        for relation in relations[model.model.name] {
            guard let json = body[relation.join.name], json != .null else { continue }
            let edit = try RelationEdit(parse: json, of: relation, className, in: records)
            if !edit.added.isEmpty || !edit.removed.isEmpty { edits.append(edit) }
        }
        return edits
    }

    /// The body with plain values for `SetOnInsert`, which changes nothing of an object that is
    /// there.
    private var values: [String: JSONValue] {
        verb == .post
            ? body.mapValues { $0.valueOnInsert ?? $0 }
            : body.filter { $0.value.valueOnInsert == nil }
    }

    /// Reads the body without its relations. Throws 105 for a key that no object can have, or not
    /// with this value, 116 for more edits than one change may make, and 119 for a key that the
    /// model does not have.
    func fields(
        of model: ModelRules, _ relations: ParseRelations = ParseRelations(),
        in records: RecordTable
    ) throws(ParseFailure) -> [String: GivenValue] {
        try Self.checkSystemKeys(in: body, of: className, id: objectID)
        var fields: [String: GivenValue] = [:]
        var (edits, editCount) = ([String: [JSONEdit]](), 0)
        for (name, json) in values.sorted(by: { $0.key < $1.key })
        where !isSystemKey(name) && relations.relation(name, of: model.model.name) == nil {
            let path = try path(of: name)
            guard let field = model.field(foreign: path[0]) else {
                throw .unknownField(of: className)
            }
            if field.type.format?.kind == .json, json.hasOwnParseFile {
                throw ParseFailure(
                    111, "a file in an array or object is not kept: give it a column of its own")
            }
            let given =
                path.count == 1
                ? try GivenValue(parse: json, for: field, in: records)
                : try GivenValue(parse: json, at: Array(path.dropFirst()), of: field)
            guard case .edited(let more) = given else {
                fields[field.name] = fields[field.name] == nil ? given : .unreadable
                continue
            }
            editCount += more.count
            guard editCount <= JSONEdit.mostOfChange else { throw .tooManyEdits }
            edits[field.name, default: []] += more
        }
        // A field cannot have both a value and edits.
        for (name, edits) in edits {
            fields[name] = fields[name] == nil ? .edited(edits) : .unreadable
        }
        guard verb == .post else { return fields }
        return fields.filter { !$0.value.onlyRemovesMembers }.mapValues(\.ofNewRecord)
    }

    /// The steps of a key, the field first.
    private func path(of name: String) throws(ParseFailure) -> [String] {
        let steps = name.split(separator: ".", omittingEmptySubsequences: false)
        guard steps.count <= 1 + TextFormat.maxDepth, !steps.contains(""),
            !name.hasPrefix("_")
        else { throw .badKey(name) }
        return steps.map(String.init)
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

extension ParseFailure {
    fileprivate static let tooManyEdits = ParseFailure(
        116, "a change takes \(JSONEdit.mostOfChange) edits of parts of values at most")
}

extension GivenValue {
    fileprivate var isAddition: Bool {
        switch self {
        case .added, .edited: true
        case .null, .value, .unreadable: false
        }
    }
}
