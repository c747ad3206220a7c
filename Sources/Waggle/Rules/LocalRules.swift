import AccessPolicy
import DefinitionModel
import Records
import SyncProtocol

/// A definition made ready to decide by on a device, for one user: by the same rules as the server.
struct LocalRules: Sendable {
    let definition: Definition
    let asker: Asker
    private let policy: Policy
    private let models: [String: Model]
    private let validators: [String: Validator]
    private let starts: [String: [String: JSONValue]]

    init(_ definition: Definition, asker: Asker) {
        self.definition = definition
        self.asker = asker
        policy = Policy(definition)
        models = Dictionary(uniqueKeysWithValues: definition.models.map { ($0.name, $0) })
        validators = models.mapValues(Validator.init)
        let own = Ownership(owner: asker.login, group: asker.group)
        starts = models.mapValues { [policy] model in
            let view = policy.sight(of: model.name, for: asker.role).view(of: own, for: asker)
            let seen = model.fields.filter { view.shows(field: $0.name) }
            return Dictionary(
                uniqueKeysWithValues: seen.map { field in
                    (field.name, model.defaults[field.name].map { JSONValue($0) } ?? .null)
                })
        }
    }

    func model(named name: String) -> Model? { models[name] }

    func defaults(of model: String) -> [String: JSONValue] {
        models[model]?.defaults.mapValues { JSONValue($0) } ?? [:]
    }

    /// What a record has that is made here, before anything is set: defaults, and null in all else
    /// that its owner may read.
    func startingFields(of model: String) -> [String: JSONValue] { starts[model] ?? [:] }

    /// Whether a field of a record is not the user's to see: nobody here can tell whether it has a
    /// value.
    func hides(_ field: String, of record: LocalRecord) -> Bool {
        guard let model = models[record.model], model.fields.contains(where: { $0.name == field })
        else { return false }
        let sight = policy.sight(of: record.model, for: asker.role)
        return !sight.view(of: record.ownership, for: asker).shows(field: field)
    }

    /// Whose a record is that is made here.
    var own: Ownership { Ownership(owner: asker.login, group: asker.group) }
}

// MARK: - What may be done

extension LocalRules {
    /// Empty where a creation may be made. Nulls and defaults need no right.
    func causes(
        creating guid: String, of model: Model, with fields: [String: JSONValue]
    ) -> [Cause] {
        let given = given(fields, of: model)
        let defaults = defaults(of: model.name)
        let chosen = fields.filter { $0.value != .null && $0.value != defaults[$0.key] }
        return (isGuid(guid) ? [] : [Cause(.change(.illegalGuid))])
            + (validators[model.name]?.causes(of: given, creating: true) ?? [])
            + denials(of: .create, model: model, fields: chosen.keys, record: own)
    }

    func causes(
        updating record: LocalRecord, of model: Model, with fields: [String: JSONValue]
    ) -> [Cause] {
        let given = given(fields, of: model)
        return (validators[model.name]?.causes(of: given, creating: false) ?? [])
            + denials(
                of: .update, model: model, fields: fields.keys, record: record.ownership)
    }

    func causes(removing record: LocalRecord, of model: Model) -> [Cause] {
        denials(of: .delete, model: model, fields: [], record: record.ownership)
    }

    func causes(
        resolving record: LocalRecord, of model: Model, with fields: [String: JSONValue]
    ) -> [Cause] {
        let open = record.isConflicted ? [] : [Cause(.change(.notConflicted))]
        let right = denial(of: .resolve, on: .model(model.name), record: record.ownership)
        return open + (right.map { [$0] } ?? [])
            + causes(updating: record, of: model, with: fields)
    }

    /// A removed record is there again once a resolution names a field of it: one that may be, or
    /// all, to hear why none may.
    func bringingBack(
        _ record: LocalRecord, of model: Model, with fields: [String: JSONValue]
    ) -> [String: JSONValue] {
        let one = fields.sorted { $0.key < $1.key }.first { name, value in
            causes(updating: record, of: model, with: [name: value]).isEmpty
        }
        return one.map { [$0.key: $0.value] } ?? fields
    }

    /// Every right that is missing: the model's, or else those of the fields.
    private func denials(
        of operation: Operation, model: Model, fields: some Sequence<String>, record: Ownership
    ) -> [Cause] {
        if let cause = denial(of: operation, on: .model(model.name), record: record) {
            return [cause]
        }
        let names = Set(fields)
        return model.fields.filter { names.contains($0.name) }.compactMap { field in
            denial(of: operation, on: .field(field.name, of: model.name), record: record)
        }
    }

    private func denial(
        of operation: Operation, on subject: Subject, record: Ownership
    ) -> Cause? {
        let question = Question(
            asker: asker, operation: operation, subject: subject, record: record)
        switch policy.decide(question) {
        case .allow: return nil
        case .deny(let denial):
            return Cause(
                .notGranted(denial.operation, level: denial.granted), field: denial.field,
                place: denial.place)
        }
    }

    private func given(
        _ fields: [String: JSONValue], of model: Model
    ) -> [String: GivenValue] {
        let types = Dictionary(uniqueKeysWithValues: model.fields.map { ($0.name, $0.type.name) })
        return Dictionary(
            uniqueKeysWithValues: fields.map { name, json in
                (name, GivenValue(json, of: types[name]))
            })
    }
}

extension GivenValue {
    fileprivate init(_ json: JSONValue, of type: FieldTypeName?) {
        if json == .null {
            self = .null
        } else {
            self = type.flatMap { FieldValue(json, of: $0) }.map { .value($0) } ?? .unreadable
        }
    }
}

// MARK: - What other records have to do with it

extension LocalRules {
    /// The relations among these fields whose record has to be on this device: those to a model of
    /// which the user sees every record. Of others only the server knows.
    func relations(
        among fields: [String: JSONValue], of model: Model
    ) -> [(field: Field, model: String, guid: String)] {
        model.fields.compactMap { field in
            guard case .belongsTo(let relation) = field.type,
                case .string(let guid)? = fields[field.name],
                !policy.sight(of: relation.model, for: asker.role).mayHide
            else { return nil }
            return (field, relation.model, guid)
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

extension Sight {
    /// Whether there may be records that are not seen at all.
    fileprivate var mayHide: Bool {
        Standing.all.contains { view(at: $0) == .nothing }
    }
}
