import ChangeRules
import DefinitionModel
import JSON

/// An operator in place of a value: `{"__op":"Increment","amount":1}`.
enum ParseOperator {
    case delete
    case increment(by: JSONValue?)
    /// An edit of an array; nil if its objects cannot be kept.
    case list(JSONEdit.Action?)
    /// An operator of Parse that no field takes.
    case unfit

    /// Nil if the value is no operator. Throws 108 for an operator that does not exist.
    init?(_ json: JSONValue) throws(ParseFailure) {
        guard case .object(let members) = json, let word = members["__op"] else { return nil }
        guard case .string(let name) = word else { throw .badJSON("an operator has no name") }
        switch name {
        case "Delete": self = .delete
        case "Increment": self = .increment(by: members["amount"])
        case "Add": self = .list(members.objects.map { .append($0) })
        case "AddUnique": self = .list(members.objects.map { .appendMissing($0) })
        case "Remove": self = .list(members.objects.map { .removeElements($0) })
        // A plain `SetOnInsert` was replaced before.
        case "SetOnInsert", "AddRelation", "RemoveRelation", "Batch": self = .unfit
        default: throw ParseFailure(108, "the operator \(name) is not supported")
        }
    }
}

extension JSONValue {
    /// Whether it is an operator in place of a value.
    var isOperator: Bool {
        guard case .object(let members) = self else { return false }
        return members["__op"] != nil
    }

    /// The value that `SetOnInsert` gives to a new object; nil for another value.
    var valueOnInsert: JSONValue? {
        guard case .object(let members) = self, members["__op"] == "SetOnInsert" else { return nil }
        let amount = members["amount"] ?? .null
        return amount.isOperator ? nil : amount
    }

    /// Whether it takes a value away: null, or the operator for that.
    var isRemoval: Bool { self == .null || self == .object(["__op": "Delete"]) }
}

extension [String: JSONValue] {
    /// Nil if they are no list of values that can be kept.
    fileprivate var objects: [JSONValue]? {
        guard case .array(let objects)? = self["objects"], objects.allSatisfy(\.isExact) else {
            return nil
        }
        return objects
    }
}

extension GivenValue {
    /// Reads the value of a key that leads into a field, such as `meta.size`. Throws 108 for an
    /// operator that does not exist.
    ///
    /// - Parameter path: The part of the key after the field; not empty.
    init(parse json: JSONValue, at path: [String], of field: Field) throws(ParseFailure) {
        let action: JSONEdit.Action? =
            switch try ParseOperator(json) {
            case .delete: .removeMember
            case .increment(let amount):
                amount?.number == nil ? nil : amount.map { .increment($0) }
            case .list(let action): action
            case .unfit: nil
            case nil: json.isExact ? .set(json) : nil
            }
        guard let action, field.type.format?.kind == .json else {
            self = .unreadable
            return
        }
        self = .edited([JSONEdit(path: path, action)])
    }

    /// The value of a new record: edits are made on nothing.
    var ofNewRecord: GivenValue {
        guard case .edited(let edits) = self else { return self }
        return edits.result(on: nil).map { .value(.text($0.text)) } ?? .unreadable
    }
}
