import AccessPolicy
import DefinitionModel

/// Matches the models and fields of two definitions by their names and by `renamedFrom`.
struct DefinitionPairs {
    let old: Definition
    let new: Definition
    let oldPolicy: Policy
    let newPolicy: Policy
    /// In the order of the new definition.
    let models: [ModelPair]
    /// In the order of the old definition, as `removedModels`.
    let mergedModels: [(old: Model, new: Model)]
    let removedModels: [Model]
    private let newNames: [String: String]

    init(_ old: Definition, _ new: Definition) {
        let matches = matched(old.models, new.models)
        self.old = old
        self.new = new
        oldPolicy = Policy(old)
        newPolicy = Policy(new)
        models = matches.pairs.map { ModelPair(old: $0.old, new: $0.new) }
        mergedModels = matches.merged
        removedModels = matches.removed
        newNames = Dictionary(
            matches.pairs.compactMap { pair in pair.old.map { ($0.name, pair.new.name) } }
                + matches.merged.map { ($0.old.name, $0.new.name) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The new name of an old model; its old name if it was removed.
    func newName(ofModel name: String) -> String { newNames[name] ?? name }

    /// The roles in both definitions, in the order of the new one.
    var keptRoles: [Role] { new.roles.filter(old.roles.contains) }

    /// The roles of the new definition, then the removed ones.
    var roles: [Role] { new.roles + old.roles.filter { !new.roles.contains($0) } }
}

/// A model of the new definition with its counterpart in the old one.
struct ModelPair {
    /// Nil for an added model.
    let old: Model?
    let new: Model
    /// In the order of the new model.
    let fields: [FieldPair]
    /// In the order of the old model, as `removedFields`.
    let mergedFields: [(old: Field, new: Field)]
    let removedFields: [Field]

    init(old: Model?, new: Model) {
        let matches = matched(old?.fields ?? [], new.fields)
        self.old = old
        self.new = new
        fields = matches.pairs.map { FieldPair(old: $0.old, new: $0.new) }
        mergedFields = matches.merged
        removedFields = matches.removed
    }
}

/// A field of the new definition with its counterpart in the old one.
struct FieldPair {
    /// Nil for an added field.
    let old: Field?
    let new: Field
}

private protocol Renamable {
    var name: String { get }
    var renamedFrom: [String] { get }
}

extension Model: Renamable {}
extension Field: Renamable {}

private struct Matches<Thing> {
    /// Every new element with its counterpart.
    let pairs: [(old: Thing?, new: Thing)]
    /// Old elements that became part of another existing one.
    let merged: [(old: Thing, new: Thing)]
    let removed: [Thing]
}

/// The same name in both takes precedence over `renamedFrom`.
private func matched<Thing: Renamable>(_ old: [Thing], _ new: [Thing]) -> Matches<Thing> {
    let byName = Dictionary(old.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var taken = Set(new.map(\.name))
    let pairs = new.map { thing in
        if let same = byName[thing.name] { return (old: same as Thing?, new: thing) }
        let earlier = thing.renamedFrom.compactMap { byName[$0] }.first { !taken.contains($0.name) }
        if let earlier { taken.insert(earlier.name) }
        return (old: earlier, new: thing)
    }
    let rest = old.filter { !taken.contains($0.name) }
    let merged = rest.compactMap { thing in
        new.first { $0.renamedFrom.contains(thing.name) }.map { (old: thing, new: $0) }
    }
    let mergedNames = Set(merged.map(\.old.name))
    return Matches(
        pairs: pairs, merged: merged, removed: rest.filter { !mergedNames.contains($0.name) })
}
