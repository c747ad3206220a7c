import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import VersionTranslation

/// The rules for one user on a device; the server decides by the same rule book.
struct LocalRules: Sendable {
    let book: RuleBook
    let asker: Asker
    private let blankRecords: [String: [String: JSONValue]]
    /// By model, what the app reads in required fields in the place of null.
    private let standIns: [String: [String: JSONValue]]

    init(_ definition: Definition, asker: Asker) {
        let book = RuleBook(definition)
        self.book = book
        self.asker = asker
        let blanks = definition.models.map { model in
            (
                model.name,
                book.model(named: model.name).map { book.blankRecord(of: $0, by: asker) } ?? [:]
            )
        }
        blankRecords = Dictionary(uniqueKeysWithValues: blanks)
        let standIns = definition.models.map { model in
            let required = model.fields.filter(\.isRequired).map { ($0.name, $0.valueIfUnserved) }
            return (model.name, Dictionary(required, uniquingKeysWith: { first, _ in first }))
        }
        self.standIns = Dictionary(standIns, uniquingKeysWith: { first, _ in first })
    }

    var definition: Definition { book.definition }

    func model(named name: String) -> Model? { book.model(named: name)?.model }

    func defaults(of model: String) -> [String: JSONValue] {
        book.model(named: model)?.defaults.mapValues { JSONValue($0) } ?? [:]
    }

    /// The fields of a new record before any is set: defaults, and null in every other field that
    /// its owner may read.
    func startingFields(of model: String) -> [String: JSONValue] { blankRecords[model] ?? [:] }

    /// The fields as the app reads them. A record that a deployment has yet to fill may lack a
    /// value that the app requires: the default or a placeholder is in its place.
    func readable(_ fields: [String: JSONValue], of model: String) -> [String: JSONValue] {
        var readable = fields
        for (name, value) in standIns[model] ?? [:] where fields[name] == .null {
            readable[name] = value
        }
        return readable
    }

    /// Whether a field of a record is hidden from the user. The device cannot tell whether a hidden
    /// field has a value.
    func hides(_ field: String, of record: LocalRecord) -> Bool {
        guard book.model(named: record.model)?.field(named: field) != nil else { return false }
        let readPolicy = book.policy.readPolicy(of: record.model, for: asker.role)
        return !readPolicy.view(of: record.ownership, for: asker).shows(field: field)
    }

    /// The fields that differ from known ones as the app reads those. A hidden field may have a
    /// value, so a null that the app set counts as a difference.
    func differences(
        of fields: [String: JSONValue], from known: [String: JSONValue], in record: LocalRecord
    ) -> [String: JSONValue] {
        let read = readable(known, of: record.model)
        return fields.filter { name, value in
            value != read[name] ?? .null || read[name] == nil && hides(name, of: record)
        }
    }

    /// The owner and group of a record created on this device.
    var own: Ownership { asker.ownership }
}

// MARK: - Rights

extension LocalRules {
    /// The reasons against a creation; empty if it is permitted. Nulls and defaults need no
    /// right.
    func causes(
        creating guid: String, of model: Model, with fields: [String: JSONValue]
    ) -> [Cause] {
        guard let rules = book.model(named: model.name) else {
            return [Cause(.unknownModel(model.name))]
        }
        return book.causes(
            creating: change(.create, guid, of: model, with: fields), of: rules, by: asker)
    }

    func causes(
        updating record: LocalRecord, of model: Model, with fields: [String: JSONValue]
    ) -> [Cause] {
        guard let rules = book.model(named: model.name) else {
            return [Cause(.unknownModel(model.name))]
        }
        return book.causes(
            updating: record.ownership,
            by: change(.update, record.guid, of: model, with: fields), changing: fields.keys,
            of: rules, by: asker)
    }

    func causes(removing record: LocalRecord, of model: Model) -> [Cause] {
        guard let rules = book.model(named: model.name) else {
            return [Cause(.unknownModel(model.name))]
        }
        return book.causes(
            deleting: record.ownership, by: change(.delete, record.guid, of: model, with: [:]),
            of: rules, by: asker)
    }

    func causes(
        resolving record: LocalRecord, of model: Model, with fields: [String: JSONValue]
    ) -> [Cause] {
        guard let rules = book.model(named: model.name) else {
            return [Cause(.unknownModel(model.name))]
        }
        let open = record.isConflicted ? [] : [Cause(.change(.notConflicted))]
        return open
            + book.causes(
                resolving: record.ownership,
                by: change(.resolve, record.guid, of: model, with: fields),
                changing: fields.keys, of: rules, by: asker)
    }

    private func change(
        _ action: ChangeAction, _ guid: String, of model: Model, with fields: [String: JSONValue]
    ) -> Change {
        Change(
            id: "", action: action, model: model.name, guid: guid, baseRevision: nil,
            fields: book.values(fields, of: model.name))
    }
}

// MARK: - Related records

extension LocalRules {
    typealias NamedRecord = (field: Field, model: String, guid: String)

    /// The records that these fields name.
    func relations(among fields: [String: JSONValue], of model: Model) -> [NamedRecord] {
        model.fields.compactMap { field in
            guard case .belongsTo(let relation) = field.type,
                case .string(let guid)? = fields[field.name]
            else { return nil }
            return (field, relation.model, guid)
        }
    }

    /// Those that have to be on this device: records of models of which the user sees every record.
    /// Only the server can check the others.
    func checkableRelations(
        among fields: [String: JSONValue], of model: Model
    ) -> [NamedRecord] {
        relations(among: fields, of: model).filter { _, model, _ in
            !book.policy.readPolicy(of: model, for: asker.role).mayHide
        }
    }

    func uniqueFields(
        among fields: [String: JSONValue], of model: Model
    ) -> [(field: Field, value: JSONValue)] {
        model.fields.compactMap { field in
            guard field.isUnique, let value = fields[field.name], value != .null else {
                return nil
            }
            return (field, value)
        }
    }
}

extension ReadPolicy {
    /// Whether there may be records that the user does not see at all.
    fileprivate var mayHide: Bool {
        Relationship.all.contains { view(at: $0) == .nothing }
    }
}
