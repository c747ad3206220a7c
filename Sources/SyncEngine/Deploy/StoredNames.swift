import DefinitionModel

/// The model and field names under which an environment's records are stored, derived from its
/// versions.
struct StoredNames: Hashable, Sendable {
    /// A field with stored values.
    struct StoredField: Hashable, Sendable {
        var types: Set<FieldTypeName>
        /// Index of the last version that has the field.
        var version: Int
        /// The earlier names that versions gave for it.
        var earlierNames: Set<String>

        static func combined(_ one: StoredField, _ other: StoredField) -> StoredField {
            StoredField(
                types: one.types.union(other.types), version: max(one.version, other.version),
                earlierNames: one.earlierNames.union(other.earlierNames))
        }
    }

    /// By model and field name.
    private(set) var models: [String: [String: StoredField]] = [:]

    /// Collects the names of all versions, given in the order of deployment. `sequence` is that of
    /// the environment's last change. A version under which nothing was written adds no names.
    init(of versions: [DeployedDefinition], until sequence: Int64) {
        guard sequence > 0 else { return }
        let ends = versions.dropFirst().map(\.sequence) + [sequence]
        for (number, (version, end)) in zip(versions, ends).enumerated() {
            adapt(by: adaptations(to: version.definition))
            guard version.sequence == nil || version.sequence != end else { continue }
            add(version.definition, number)
        }
    }

    private mutating func add(_ definition: Definition, _ number: Int) {
        for model in definition.models {
            for field in model.fields {
                let added = StoredField(
                    types: [field.type.name], version: number,
                    earlierNames: Set(field.renamedFrom))
                models[model.name, default: [:]][field.name] =
                    models[model.name]?[field.name].map { .combined($0, added) } ?? added
            }
        }
    }

    private mutating func adapt(by adaptations: [String: ModelAdaptation]) {
        var adapted: [String: [String: StoredField]] = [:]
        for (name, fields) in models {
            let changes = adaptations[name]
            adapted[changes?.model ?? name, default: [:]].merge(
                changes?.adapted(fields) ?? fields, uniquingKeysWith: StoredField.combined)
        }
        models = adapted
    }
}

// MARK: - Adaptations

extension StoredNames {
    /// Returns the adaptations by stored model name. A model that keeps all its names and types has
    /// none.
    func adaptations(to definition: Definition) -> [String: ModelAdaptation] {
        var adaptations: [String: ModelAdaptation] = [:]
        for model in definition.models {
            for name in [model.name] + model.renamedFrom {
                guard let stored = models[name] else { continue }
                let changes = ModelAdaptation(of: model, among: stored)
                if name != model.name || changes.changesFields { adaptations[name] = changes }
            }
        }
        return adaptations
    }

    /// Returns the clashes in the order of the definition.
    func typeClashes(with definition: Definition) -> [StoredTypeClash] {
        let adaptations = adaptations(to: definition)
        return definition.models.flatMap { model in
            model.fields.flatMap { field in
                ([model.name] + model.renamedFrom).flatMap { name in
                    (adaptations[name]?.sources(of: field.name) ?? [field.name]).flatMap {
                        typeClashes(of: field, in: model, storedAs: $0, in: name)
                    }
                }
            }
        }
    }

    private func typeClashes(
        of field: Field, in model: Model, storedAs storedField: String, in storedModel: String
    ) -> [StoredTypeClash] {
        let types = models[storedModel]?[storedField]?.types ?? []
        let refused = types.filter { $0 != field.type.name && !$0.widens(to: field.type.name) }
        return refused.sorted { $0.rawValue < $1.rawValue }.map {
            StoredTypeClash(
                model: model.name, field: field.name, storedModel: storedModel,
                storedField: storedField, old: $0, new: field.type.name, place: field.place)
        }
    }
}

extension ModelAdaptation {
    fileprivate init(of model: Model, among stored: [String: StoredNames.StoredField]) {
        let renamed = model.fields.compactMap { FieldRenaming(of: $0, among: stored) }
        let sources = Dictionary(uniqueKeysWithValues: renamed.map { ($0.name, $0.sources) })
        let widened = model.fields.filter { field in
            (sources[field.name] ?? [field.name]).contains { source in
                stored[source]?.types.contains { $0.widens(to: field.type.name) } ?? false
            }
        }
        self.init(
            model: model.name, renamedFields: renamed,
            widenedFields: Set(widened.map(\.name)))
    }

    fileprivate func adapted(
        _ stored: [String: StoredNames.StoredField]
    ) -> [String: StoredNames.StoredField] {
        var fields = renamed(stored) { found in
            found.dropFirst().reduce(found[0], StoredNames.StoredField.combined)
        }
        for name in widenedFields {
            fields[name]?.types.remove(.integer)
            fields[name]?.types.insert(.decimal)
        }
        return fields
    }
}

extension FieldRenaming {
    /// Returns nil if no value is stored under an earlier name.
    fileprivate init?(of field: Field, among stored: [String: StoredNames.StoredField]) {
        let names = ([field.name] + field.renamedFrom).filter { stored[$0] != nil }
        let last = names.max { (stored[$0]?.version ?? 0) < (stored[$1]?.version ?? 0) }
        guard let last, names != [field.name] else { return nil }
        // An earlier version may have renamed the field to this name already.
        let wasThis = !(stored[field.name]?.earlierNames.isDisjoint(with: names) ?? true)
        self.init(
            name: field.name,
            sources: [last] + names.filter { $0 != last && ($0 != field.name || wasThis) })
    }
}
