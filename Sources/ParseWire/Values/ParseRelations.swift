import ChangeRules
import DefinitionModel
import ForeignValues
import JSON

/// The relations of each model, which are models of pairs in the definition.
struct ParseRelations: Sendable {
    private var joins: [String: [PairModel]] = [:]

    /// A model whose records are pairs.
    struct PairModel: Sendable {
        let join: Join
        let model: Model
    }

    init() {}

    init(_ definition: Definition) {
        for model in definition.models {
            guard let join = model.join else { continue }
            joins[join.owner, default: []].append(PairModel(join: join, model: model))
        }
    }

    subscript(model: String) -> [PairModel] { joins[model] ?? [] }

    func relation(_ name: String, of model: String) -> PairModel? {
        self[model].first { $0.join.name.hasSameBytes(as: name) }
    }
}

/// The objects that an operation adds to a relation of its object, and removes from it.
struct RelationEdit: Sendable {
    let relation: ParseRelations.PairModel
    /// The guids, each once, in the order in which they were first named.
    private(set) var named: [String] = []
    /// Whether the last operation with a guid adds it.
    private var isAdded: [String: Bool] = [:]

    var added: [String] { named.filter { isAdded[$0] == true } }
    var removed: [String] { named.filter { isAdded[$0] == false } }

    /// Adds an operation on the same relation of the same object.
    mutating func append(_ later: RelationEdit) {
        for guid in later.named { set(guid, isAdded: later.isAdded[guid] == true) }
    }

    private mutating func set(_ guid: String, isAdded isAdding: Bool) {
        if isAdded.updateValue(isAdding, forKey: guid) == nil { named.append(guid) }
    }

    /// Reads `AddRelation`, `RemoveRelation` or a `Batch` of these. The mark of a relation says
    /// nothing. Throws 111 for another value, and for objects of another class.
    init(
        parse json: JSONValue, of relation: ParseRelations.PairModel, _ className: String,
        in records: RecordTable
    ) throws(ParseFailure) {
        self.relation = relation
        guard case .object(let members) = json else {
            throw .wrongRelation(relation, of: className)
        }
        if members["__type"] == "Relation" { return }
        if members["__op"] == "Batch", case .array(let parts)? = members["ops"] {
            for part in parts { try read(part, of: className, in: records) }
        } else {
            try read(json, of: className, in: records)
        }
    }

    private mutating func read(
        _ json: JSONValue, of className: String, in records: RecordTable
    ) throws(ParseFailure) {
        guard case .object(let members) = json, case .array(let objects)? = members["objects"]
        else { throw .wrongRelation(relation, of: className) }
        let target = records.className(of: relation.join.target)
        let isAdding: Bool
        switch members["__op"] {
        case "AddRelation": isAdding = true
        case "RemoveRelation": isAdding = false
        case _: throw .wrongRelation(relation, of: className)
        }
        for object in objects {
            guard let pointer = ParsePointer(object), pointer.className.hasSameBytes(as: target),
                let guid = records.guid(of: pointer)
            else { throw .wrongRelation(relation, of: className) }
            set(guid, isAdded: isAdding)
        }
    }
}

extension ParseFailure {
    fileprivate static func wrongRelation(
        _ relation: ParseRelations.PairModel, of className: String
    ) -> ParseFailure {
        ParseFailure(
            111, "schema mismatch for \(className).\(relation.join.name); expected Relation")
    }
}
