import ChangeRules
import DefinitionModel
import JSON

/// A definition that changes from version to version while it is used.
struct EvolvingDefinition: Sendable {
    /// In lasting words.
    private(set) var definition: Definition
    /// Models and fields that earlier versions had, as they were last; fields by model.
    var goneModels: [Model] = []
    var goneFields: [String: [Field]] = [:]
    var names: [String: Vocabulary.ModelNames]
    private var formerModels: [String: [String]] = [:]
    private var formerFields: [String: [String: [String]]] = [:]
    var filled: [String: Set<String>] = [:]
    /// The fields to which the version's own deployment brings values, by model.
    var brought: [String: Set<String>] = [:]
    /// The names of the version before.
    private var namesBefore: [String: Vocabulary.ModelNames] = [:]

    /// The value that deployments bring. It is short enough for every limit here.
    static let broughtValue = JSONValue.string("f")

    init(_ definition: Definition) {
        self.definition = definition
        names = [:]
        for model in definition.models { name(model) }
    }

    /// The version after some changes, those left out that are impossible; nil if none is left.
    ///
    /// - Parameters:
    ///   - number: Unique among all versions, and part of new names.
    ///   - forgetsNames: Whether it tells only what it renames itself.
    func next(_ changes: [Evolution], number: Int, forgetsNames: Bool) -> EvolvingDefinition? {
        var next = self
        next.brought = [:]
        next.namesBefore = names
        if forgetsNames { (next.formerModels, next.formerFields) = ([:], [:]) }
        var isChanged = false
        for (place, change) in changes.enumerated() {
            isChanged = next.apply(change, number: "\(number)", place: place) || isChanged
        }
        guard isChanged else { return nil }
        next.definition = next.definition.with(
            fingerprint: "\(base)-v\(number)", models: next.definition.models)
        next.noteBrought()
        return next
    }

    private var base: Substring { definition.fingerprint.split(separator: "-v")[0] }

    mutating func noteBrought() { filled.merge(brought) { $0.union($1) } }

    private mutating func name(_ model: Model) {
        let fields = model.fields.map { ($0.name, $0.name) }
        names[model.name] = Vocabulary.ModelNames(
            name: model.name, fields: Dictionary(uniqueKeysWithValues: fields))
    }
}

// MARK: - Versions

extension EvolvingDefinition {
    var version: AppVersion {
        let vocabulary = Vocabulary(names)
        let own = definition.with { model in
            let earlier = formerFields[model.name] ?? [:]
            return model.renamed(
                to: vocabulary.own(model.name), from: formerModels[model.name] ?? [],
                fields: model.fields.map { field in
                    field.changed(
                        to: vocabulary.own(field: field.name, of: model.name),
                        from: earlier[field.name] ?? [], type: field.type.naming(vocabulary.own))
                })
        }
        let fills = brought.sorted { $0.key < $1.key }.flatMap { model, fields in
            fields.sorted().map {
                FillRule(
                    model: vocabulary.own(model), field: vocabulary.own(field: $0, of: model),
                    source: .constant(Self.broughtValue))
            }
        }
        return AppVersion(
            own, lasting: definition, vocabulary: vocabulary, filled: filled, fills: fills)
    }
}

// MARK: - Changes

extension EvolvingDefinition {
    /// Returns whether the change was possible.
    private mutating func apply(_ change: Evolution, number: String, place: Int) -> Bool {
        switch change {
        case .renameModel(let model): return rename(model, number)
        case .renameField(let field, let model): return rename(field, of: model, number)
        case .addField(let kind, let model):
            return add(kind, named: "more\(number)x\(place)", to: model)
        case .removeField(let field, let model): return remove(field, of: model)
        case .restoreField(let field, let model): return restore(field, of: model)
        case .requireField(let field, let model):
            let isPossible = replace(field, of: model) { field in
                field.canBeFilled && !field.isRequired && field.defaultValue == nil
                    ? field.changed(isRequired: true) : nil
            }
            if isPossible { brought[model, default: []].insert(field) }
            return isPossible
        case .narrowLimits(let field, let model):
            return replace(field, of: model, by: \.narrowed)
        case .widenLimits(let field, let model):
            return replace(field, of: model) { field in
                field.type.widened.map { field.changed(type: $0) }
            }
        case .widenType(let field, let model): return replace(field, of: model, by: \.asDecimal)
        case .addModel(let model): return addModel(like: model, named: "Model\(number)x\(place)")
        case .removeModel(let model): return remove(model)
        case .restoreModel(let model): return restore(model)
        }
    }

    private func index(of model: String) -> Int? {
        definition.models.firstIndex { $0.name == model }
    }

    private mutating func set(_ fields: [Field], ofModelAt place: Int) {
        var models = definition.models
        models[place] = models[place].with(fields: fields)
        definition = definition.with(models: models)
    }

    private mutating func replace(
        _ name: String, of model: String, by change: (Field) -> Field?
    ) -> Bool {
        guard let place = index(of: model) else { return false }
        var fields = definition.models[place].fields
        guard let index = fields.firstIndex(where: { $0.name == name }),
            let changed = change(fields[index])
        else { return false }
        fields[index] = changed
        set(fields, ofModelAt: place)
        return true
    }

    private mutating func rename(_ model: String, _ number: String) -> Bool {
        guard index(of: model) != nil, let name = names[model]?.name else { return false }
        formerModels[model, default: []].insert(name, at: 0)
        names[model]?.formerNames.insert(name)
        names[model]?.name = "\(model)_\(number)"
        return true
    }

    private mutating func rename(_ field: String, of model: String, _ number: String) -> Bool {
        guard let place = index(of: model), let name = names[model]?.fields[field],
            definition.models[place].fields.contains(where: { $0.name == field })
        else { return false }
        formerFields[model, default: [:]][field, default: []].insert(name, at: 0)
        names[model]?.fields[field] = "\(field)_\(number)"
        names[model]?.formerFields[name] = field
        return true
    }
}

// MARK: - Fields and models that come and go

extension EvolvingDefinition {
    private mutating func add(
        _ kind: Evolution.AddedField, named name: String, to model: String
    ) -> Bool {
        guard let place = index(of: model), let like = definition.models[place].fields.first else {
            return false
        }
        set(
            definition.models[place].fields + [kind.field(named: name, like: like)],
            ofModelAt: place)
        names[model]?.fields[name] = name
        if kind == .filled { brought[model, default: []].insert(name) }
        return true
    }

    /// A required field that no deployment could bring back with values stays.
    private mutating func remove(_ name: String, of model: String) -> Bool {
        guard let place = index(of: model) else { return false }
        let fields = definition.models[place].fields
        guard let field = fields.first(where: { $0.name == name }), fields.count > 1,
            !field.isRequired || field.defaultValue != nil || field.canBeFilled
        else { return false }
        set(fields.filter { $0.name != name }, ofModelAt: place)
        goneFields[model, default: []].append(field)
        brought[model]?.remove(name)
        // A version that does not have a field cannot rename it.
        names[model]?.fields[name] = namesBefore[model]?.fields[name] ?? name
        return true
    }

    private mutating func restore(_ name: String, of model: String) -> Bool {
        guard let place = index(of: model),
            let field = goneFields[model]?.first(where: { $0.name == name }),
            hasTarget(of: field)
        else { return false }
        set(definition.models[place].fields + [field], ofModelAt: place)
        goneFields[model]?.removeAll { $0.name == name }
        if field.needsValue { brought[model, default: []].insert(name) }
        return true
    }

    private func hasTarget(of field: Field) -> Bool {
        guard case .belongsTo(let relation) = field.type else { return true }
        return index(of: relation.model) != nil
    }

    private mutating func addModel(like model: String, named name: String) -> Bool {
        guard let place = index(of: model), let like = definition.models[place].fields.first else {
            return false
        }
        let fields = [
            Evolution.AddedField.text.field(named: "text", like: like),
            Evolution.AddedField.number.field(named: "number", like: like),
        ]
        let added = definition.models[place].renamed(to: name, from: [], fields: fields)
        definition = definition.with(models: definition.models + [added])
        self.name(added)
        return true
    }

    private mutating func remove(_ model: String) -> Bool {
        guard let place = index(of: model), definition.models.count > 1 else { return false }
        for other in definition.models where other.name != model {
            for field in other.fields where field.type.refers(to: model) {
                guard !field.isRequired, remove(field.name, of: other.name) else { return false }
            }
        }
        goneModels.append(definition.models[place])
        definition = definition.with(models: definition.models.filter { $0.name != model })
        brought[model] = nil
        if let before = namesBefore[model] {
            names[model]?.name = before.name
            names[model]?.fields.merge(before.fields) { _, old in old }
        }
        return true
    }

    /// Without relations to models that are gone.
    private mutating func restore(_ model: String) -> Bool {
        guard let place = goneModels.firstIndex(where: { $0.name == model }) else { return false }
        let gone = goneModels.remove(at: place)
        let kept = gone.fields.filter { hasTarget(of: $0) || $0.type.refers(to: model) }
        goneFields[model, default: []] += gone.fields.filter { field in
            !kept.contains { $0.name == field.name }
        }
        definition = definition.with(models: definition.models + [gone.with(fields: kept)])
        let needed = kept.filter(\.needsValue).map(\.name)
        if !needed.isEmpty { brought[model, default: []].formUnion(needed) }
        return true
    }
}
