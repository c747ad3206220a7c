package import ChangeRules
import DefinitionModel
import JSON

/// Which records count as one with a record when conflicts are looked for: what it belongs to, and
/// what belongs to it, by the relations that say `analyzeConflict`.
package struct GraphNeed: Hashable, Sendable {
    package let guid: String
    /// Of the record itself.
    package let relations: [RelationName]
    /// Of records that may belong to it.
    package let sources: [RelationName]
    /// What it would belong to after the change.
    package let targets: [String]

    package init(
        guid: String, relations: [RelationName], sources: [RelationName], targets: [String]
    ) {
        self.guid = guid
        self.relations = relations
        self.sources = sources
        self.targets = targets
    }
}

extension Rules {
    /// Nil for a change that nothing related can be in conflict with: a creation knows all there is
    /// of its record, and a resolution has looked.
    func graph(of change: Change) -> GraphNeed? {
        guard change.action == .update || change.action == .delete,
            let model = model(named: change.model)
        else { return nil }
        let relations = model.analyzedRelations
        let sources = analyzedSources[model.model.name] ?? []
        guard !relations.isEmpty || !sources.isEmpty else { return nil }
        let targets = relations.compactMap { relation in
            if case .value(.reference(let guid)) = change.fields[relation.field] {
                guid
            } else {
                nil
            }
        }
        return GraphNeed(
            guid: change.guid, relations: relations, sources: sources, targets: targets)
    }
}
