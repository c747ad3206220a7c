import DefinitionModel

/// The model and field names under which an environment's records are stored, derived from its
/// versions.
struct StoredNames: Hashable, Sendable {
    /// A field with stored values.
    struct StoredField: Hashable, Sendable {
        var types: Set<FieldTypeName>
        /// Index of the last version that has the field.
        var version: Int

        static func combined(_ one: StoredField, _ other: StoredField) -> StoredField {
            StoredField(
                types: one.types.union(other.types), version: max(one.version, other.version))
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
            rename(by: renamings(to: version.definition))
            guard version.sequence == nil || version.sequence != end else { continue }
            add(version.definition, number)
        }
    }

    private mutating func add(_ definition: Definition, _ number: Int) {
        for model in definition.models {
            for field in model.fields {
                let added = StoredField(types: [field.type.name], version: number)
                models[model.name, default: [:]][field.name] =
                    models[model.name]?[field.name].map { .combined($0, added) } ?? added
            }
        }
    }

    private mutating func rename(by renamings: [String: ModelRenaming]) {
        var renamed: [String: [String: StoredField]] = [:]
        for (name, fields) in models {
            let renaming = renamings[name]
            renamed[renaming?.model ?? name, default: [:]].merge(
                renaming?.renamed(fields) { $0.dropFirst().reduce($0[0], StoredField.combined) }
                    ?? fields, uniquingKeysWith: StoredField.combined)
        }
        models = renamed
    }
}

// MARK: - Renamings

extension StoredNames {
    /// Returns the renamings by stored model name. A model that keeps all its names has none.
    func renamings(to definition: Definition) -> [String: ModelRenaming] {
        var renamings: [String: ModelRenaming] = [:]
        for model in definition.models {
            for name in [model.name] + model.renamedFrom {
                guard let stored = models[name] else { continue }
                let renaming = ModelRenaming(
                    model: model.name,
                    fields: model.fields.compactMap { FieldRenaming(of: $0, among: stored) })
                if name != model.name || !renaming.fields.isEmpty { renamings[name] = renaming }
            }
        }
        return renamings
    }

    /// Returns the clashes in the order of the definition.
    func typeClashes(with definition: Definition) -> [StoredTypeClash] {
        let renamings = renamings(to: definition)
        return definition.models.flatMap { model in
            model.fields.flatMap { field in
                ([model.name] + model.renamedFrom).flatMap { name in
                    (renamings[name]?.sources(of: field.name) ?? [field.name]).flatMap {
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
        return types.filter { $0 != field.type.name }.sorted { $0.rawValue < $1.rawValue }.map {
            StoredTypeClash(
                model: model.name, field: field.name, storedModel: storedModel,
                storedField: storedField, old: $0, new: field.type.name, place: field.place)
        }
    }
}

extension FieldRenaming {
    /// Returns nil if no value is stored under an earlier name.
    fileprivate init?(of field: Field, among stored: [String: StoredNames.StoredField]) {
        let names = ([field.name] + field.renamedFrom).filter { stored[$0] != nil }
        let last = names.max { (stored[$0]?.version ?? 0) < (stored[$1]?.version ?? 0) }
        guard let last, names != [field.name] else { return nil }
        self.init(
            name: field.name,
            sources: [last] + names.filter { $0 != last && $0 != field.name })
    }
}
