package import AccessPolicy
package import DefinitionModel
package import JSON

/// A definition prepared for deciding: everything about a change that depends on nothing but the
/// definition, its author and the record's owner and group. A device and the server ask the same
/// value, so a device refuses offline what the server would refuse. It never changes, so all users
/// share one.
///
/// It has no I/O. Whether a relation's record exists, whether a unique value is taken and whether
/// another change came first depends on other records, and is not decided here.
package final class RuleBook: Sendable {
    package let definition: Definition
    package let policy: Policy
    /// The steps that matching a pattern takes at most for each scalar of a text; 0 if the
    /// definition has no pattern.
    package let mostPatternSteps: Int
    private let models: [String: ModelRules]

    package init(_ definition: Definition) {
        self.definition = definition
        policy = Policy(definition)
        mostPatternSteps =
            definition.models.flatMap(\.fields).compactMap(\.type.patternSteps).max() ?? 0
        models = Dictionary(
            uniqueKeysWithValues: definition.models.map { ($0.name, ModelRules($0)) })
    }

    package func model(named name: String) -> ModelRules? { models[name] }

    package func hasRole(_ role: Role) -> Bool { definition.roles.contains(role) }
}

extension FieldType {
    /// Nil without a pattern.
    fileprivate var patternSteps: Int? {
        switch self {
        case .text(let limits): limits.pattern?.stepCount
        case .integer, .decimal, .boolean, .date, .belongsTo, .file: nil
        }
    }
}

// MARK: - Reading values

extension RuleBook {
    /// Reads the values of a change by the types of a model's fields. A value that cannot be read
    /// stays as `unreadable`, for the validation to refuse together with all else that is wrong.
    package func values(
        _ fields: [String: JSONValue], of model: String
    ) -> [String: GivenValue] {
        let model = models[model]
        let values = fields.map { name, json -> (String, GivenValue) in
            let name = name.asASCII
            return (name, GivenValue(json, of: model?.type(ofField: name)))
        }
        return Dictionary(values, uniquingKeysWith: { first, _ in first })
    }
}

extension GivenValue {
    /// A field that the model does not have cannot be read; the validation names it.
    fileprivate init(_ json: JSONValue, of type: FieldTypeName?) {
        switch json {
        case .null: self = .null
        case .boolean, .integer, .decimal, .string, .array, .object, .unrepresentable:
            let value = type.flatMap { FieldValue(json, of: $0) }
            self = value.map { .value($0) } ?? .unreadable
        }
    }

    /// As it is stored and sent; of an addition, the amount. An unreadable value is refused before
    /// anything is made of it, and the result takes the place of edits.
    package var json: JSONValue {
        switch self {
        case .null, .unreadable, .edited: .null
        case .value(let value), .added(let value): JSONValue(value)
        }
    }

    /// A field that is left out, null or at its default needs no right on creation.
    fileprivate func needsRight(toCreate model: ModelRules, field: String) -> Bool {
        switch self {
        case .null: false
        case .unreadable, .edited: true
        case .value(let value), .added(let value): model.defaults[field] != value
        }
    }
}

extension String {
    /// Names of a definition are ASCII. Any other name is escaped, since Swift takes some of them
    /// for equal to an ASCII one (the Kelvin sign and K).
    fileprivate var asASCII: String {
        utf8.withContiguousStorageIfAvailable { $0.reduce(0, |) < 0x80 } ?? false
            ? self : unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
    }
}

// MARK: - Everything that stands against a change

extension RuleBook {
    package func causes(
        creating change: Change, of model: ModelRules, by asker: Asker
    ) -> [Cause] {
        faults(of: change, in: model) + denials(creating: change.fields, of: model, by: asker)
    }

    /// `changing` are the fields whose values change: the others need no right.
    package func causes(
        updating record: Ownership, by change: Change, changing: some Sequence<String>,
        of model: ModelRules, by asker: Asker
    ) -> [Cause] {
        faults(of: change, in: model)
            + denials(of: .update, fields: changing, model: model, record: record, asker: asker)
    }

    package func causes(
        deleting record: Ownership, by change: Change, of model: ModelRules, by asker: Asker
    ) -> [Cause] {
        faults(of: change, in: model)
            + denials(of: .delete, fields: [], model: model, record: record, asker: asker)
    }

    /// A resolution is an update for which the model must grant one more right.
    package func causes(
        resolving record: Ownership, by change: Change, changing: some Sequence<String>,
        of model: ModelRules, by asker: Asker
    ) -> [Cause] {
        causes(updating: record, by: change, changing: changing, of: model, by: asker)
            + denials(resolving: record, of: model, by: asker)
    }
}

// MARK: - Faults of the change itself

extension RuleBook {
    /// Every fault of a change's guid and values, whatever is stored.
    package func faults(of change: Change, in model: ModelRules) -> [Cause] {
        var patternSteps = 0
        return faults(of: change, in: model, patternSteps: &patternSteps)
    }

    /// The same. `patternSteps` receives the steps for matching patterns in addition to what it
    /// has; see `PatternBudget`.
    package func faults(
        of change: Change, in model: ModelRules, patternSteps: inout Int
    ) -> [Cause] {
        switch change.action {
        case .create:
            (isGuid(change.guid) ? [] : [Cause(.change(.illegalGuid))])
                + model.validator.causes(
                    of: change.values, creating: true, patternSteps: &patternSteps)
        case .update, .resolve:
            model.validator.causes(
                of: change.fields, creating: false, patternSteps: &patternSteps)
        case .delete, .restore: change.fields.isEmpty ? [] : [Cause(.change(.unexpectedFields))]
        }
    }
}

// MARK: - Rights

extension RuleBook {
    /// Every right that is missing to create a record with these values: the model's, or else those
    /// of the fields. The new record belongs to the asker.
    package func denials(
        creating given: [String: GivenValue], of model: ModelRules, by asker: Asker
    ) -> [Cause] {
        // Lazy: the fields are looked through only where not every field may be set.
        let fields = given.lazy.filter { $0.value.needsRight(toCreate: model, field: $0.key) }
        return denials(
            of: .create, fields: fields.map(\.key), model: model, record: asker.ownership,
            asker: asker)
    }

    package func denials(
        resolving record: Ownership, of model: ModelRules, by asker: Asker
    ) -> [Cause] {
        let subject = Subject.model(model.model.name)
        return denial(of: .resolve, on: subject, record: record, asker: asker).map { [$0] } ?? []
    }

    /// Every right that is missing: the model's, or else those of the fields, by name. Names of
    /// fields that do not exist are ignored.
    package func denials(
        of operation: Operation, fields: some Sequence<String>, model: ModelRules,
        record: Ownership, asker: Asker
    ) -> [Cause] {
        let name = model.model.name
        guard !policy.allowsEveryField(of: name, to: operation, on: record, for: asker) else {
            return []
        }
        if let cause = denial(of: operation, on: .model(name), record: record, asker: asker) {
            return [cause]
        }
        return fields.filter { model.field(named: $0) != nil }.sorted().compactMap { field in
            denial(of: operation, on: .field(field, of: name), record: record, asker: asker)
        }
    }

    /// Whether the asker may do something to a record of a model, fields aside.
    package func allows(
        _ operation: Operation, of model: String, on record: Ownership, by asker: Asker
    ) -> Bool {
        denial(of: operation, on: .model(model), record: record, asker: asker) == nil
    }

    /// Whether the asker may do something to one field of a record.
    package func allows(
        _ operation: Operation, field: String, of model: String, on record: Ownership,
        by asker: Asker
    ) -> Bool {
        denial(of: operation, on: .field(field, of: model), record: record, asker: asker) == nil
    }

    private func denial(
        of operation: Operation, on subject: Subject, record: Ownership, asker: Asker
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
}

extension Asker {
    /// The ownership of a record that the asker creates. One who may create none gets an ownership
    /// that no record has.
    package var ownership: Ownership {
        ownershipOfNew ?? Ownership(owner: login, group: group)
    }
}

// MARK: - New records

extension RuleBook {
    /// The values that a new record starts with: those given, and defaults for the rest. A null
    /// needs no right; from an author who may not set the field, it counts as left out.
    package func startingValues(
        from given: [String: JSONValue], of model: ModelRules, by asker: Asker
    ) -> [String: JSONValue] {
        let name = model.model.name
        let isCleared = policy.allowsEveryField(
            of: name, to: .create, on: asker.ownership, for: asker)
        var values =
            isCleared
            ? given
            : given.filter { field, value in
                value != .null || model.defaults[field] == nil
                    || allows(.create, field: field, of: name, on: asker.ownership, by: asker)
            }
        for (field, value) in model.defaults where values[field] == nil {
            values[field] = JSONValue(value)
        }
        return values
    }

    /// The record that its creator sees before anything is set: defaults, and null in every
    /// other field that its owner may read.
    package func blankRecord(of model: ModelRules, by asker: Asker) -> [String: JSONValue] {
        let view = policy.readPolicy(of: model.model.name, for: asker.role)
            .view(of: asker.ownership, for: asker)
        let seen = model.model.fields.filter { view.shows(field: $0.name) }
        return Dictionary(
            uniqueKeysWithValues: seen.map { field in
                (field.name, model.defaults[field.name].map { JSONValue($0) } ?? .null)
            })
    }
}
