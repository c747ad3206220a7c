import DefinitionModel

/// The names under which an environment's records and their values are stored, as far as can be
/// told from the versions that it had.
struct StoredNames: Hashable, Sendable {
    /// A field that values are stored of.
    struct StoredField: Hashable, Sendable {
        var types: Set<FieldTypeName>
        /// The last version that had it, by its place among the versions.
        var version: Int

        static func combined(_ one: StoredField, _ other: StoredField) -> StoredField {
            StoredField(
                types: one.types.union(other.types), version: max(one.version, other.version))
        }
    }

    /// By model, by field.
    private(set) var models: [String: [String: StoredField]] = [:]

    /// What the versions, in the order of their deployment, have left behind when the environment's
    /// last change is `sequence`. A version under which nothing was written has left nothing.
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

// MARK: - What another definition makes of them

extension StoredNames {
    /// By the name under which a model's records are stored, what becomes of them; models that keep
    /// all names are left out.
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

    /// In the order of the definition.
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
    /// Nil if nothing is stored under an earlier name.
    fileprivate init?(of field: Field, among stored: [String: StoredNames.StoredField]) {
        let names = ([field.name] + field.renamedFrom).filter { stored[$0] != nil }
        let last = names.max { (stored[$0]?.version ?? 0) < (stored[$1]?.version ?? 0) }
        guard let last, names != [field.name] else { return nil }
        self.init(
            name: field.name,
            sources: [last] + names.filter { $0 != last && $0 != field.name })
    }
}
