import AccessPolicy
import DefinitionModel

/// What in two definitions is the same thing: what has the same name, or says that it had.
struct Pairs {
    let old: Definition
    let new: Definition
    let oldPolicy: Policy
    let newPolicy: Policy
    /// In the order of the new definition.
    let models: [ModelPair]
    /// In the order of the old definition, as the removed ones.
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

    /// The new name of an old model; its old one when it is gone.
    func newName(ofModel name: String) -> String { newNames[name] ?? name }

    /// Those of the new definition that old clients can have.
    var keptRoles: [Role] { new.roles.filter(old.roles.contains) }

    /// Those of the new definition, then those that are gone.
    var roles: [Role] { new.roles + old.roles.filter { !new.roles.contains($0) } }
}

/// A model of the new definition, with what it was.
struct ModelPair {
    /// Nil for a model that is new.
    let old: Model?
    let new: Model
    /// In the order of the new model.
    let fields: [FieldPair]
    /// In the order of the old model, as the removed ones.
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

/// A field of the new definition, with what it was.
struct FieldPair {
    /// Nil for a field that is new.
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
    /// Everything that is new, with what it was.
    let pairs: [(old: Thing?, new: Thing)]
    /// What has become part of something that was there beside it.
    let merged: [(old: Thing, new: Thing)]
    let removed: [Thing]
}

/// A name that is in both counts before an earlier one.
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
