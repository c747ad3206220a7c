import DefinitionModel

// The way back to an earlier version.

extension EvolvingDefinition {
    /// This earlier version, deployed again in place of another one, with its names; nil if values
    /// of another type would stay hidden under a later name.
    func again(after present: EvolvingDefinition) -> EvolvingDefinition? {
        guard followsEveryName(of: present) else { return nil }
        var again = self
        again.names = names(after: present)
        again.filled = present.filled
        again.goneModels = (present.goneModels + present.definition.models).filter { gone in
            !definition.models.contains { $0.name == gone.name }
        }
        again.goneFields = [:]
        for model in present.definition.models + present.goneModels {
            let all = model.fields + (present.goneFields[model.name] ?? [])
            let own = definition.models.first { $0.name == model.name } ?? model
            again.goneFields[model.name] = all.filter { gone in
                !own.fields.contains { $0.name == gone.name }
            }
        }
        again.brought = brought(after: present)
        again.noteBrought()
        return again
    }

    /// Fields with needed values that the version before did not require.
    private func brought(after present: EvolvingDefinition) -> [String: Set<String>] {
        var brought: [String: Set<String>] = [:]
        for model in definition.models {
            let known = present.definition.models.first { $0.name == model.name }
            for field in model.fields where field.needsValue {
                let isThere = known?.fields.first { $0.name == field.name }?.isRequired ?? false
                if !isThere { brought[model.name, default: []].insert(field.name) }
            }
        }
        return brought
    }

    /// The own names of what the version has, and the last ones of everything else.
    private func names(after present: EvolvingDefinition) -> [String: Vocabulary.ModelNames] {
        var all = present.names
        for model in definition.models {
            guard let own = names[model.name], let last = present.names[model.name] else {
                continue
            }
            all[model.name]?.name = own.name
            all[model.name]?.formerNames.insert(last.name)
            for name in model.fields.map(\.name) {
                guard let field = own.fields[name], let later = last.fields[name] else { continue }
                all[model.name]?.fields[name] = field
                if later != field { all[model.name]?.formerFields[later] = name }
            }
        }
        return all
    }

    /// Whether everything that has another name in the version before is there, with values that
    /// are some of this version too.
    private func followsEveryName(of present: EvolvingDefinition) -> Bool {
        definition.models.allSatisfy { model in
            let known = present.definition.models.first { $0.name == model.name }
            guard let own = names[model.name], let last = present.names[model.name],
                known != nil || own.name == last.name
            else { return false }
            return model.fields.allSatisfy { field in
                let isSame = own.fields[field.name] == last.fields[field.name]
                guard let type = known?.fields.first(where: { $0.name == field.name })?.type else {
                    return isSame
                }
                return own.name == last.name && isSame || type.name == field.type.name
                    || type.name.widens(to: field.type.name)
            }
        }
    }
}
