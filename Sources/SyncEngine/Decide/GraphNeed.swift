import AccessPolicy
package import ChangeRules
import DefinitionModel
import JSON

/// The related records to include when conflicts of a record are detected: those it belongs to and
/// those that belong to it, over relations with `analyzeConflict`.
package struct GraphNeed: Hashable, Sendable {
    package let guid: String
    /// The relations of the record itself.
    package let relations: [RelationName]
    /// The relations of other records that may refer to the record.
    package let sources: [RelationName]
    /// The guids of the records to which the record would belong after the change.
    package let targets: [String]
    /// The related records that count; nil counts all.
    package var readable: ReadableRecords?

    package init(
        guid: String, relations: [RelationName], sources: [RelationName], targets: [String]
    ) {
        self.guid = guid
        self.relations = relations
        self.sources = sources
        self.targets = targets
    }

    fileprivate func naming(_ further: [String]) -> GraphNeed {
        guard !further.isEmpty else { return self }
        var graph = GraphNeed(
            guid: guid, relations: relations, sources: sources, targets: targets + further)
        graph.readable = readable
        return graph
    }
}

extension Rules {
    /// Returns one graph for each record of a batch, with the targets of all its changes. Related
    /// records that the asker may not see do not count.
    func graphs(of batch: [Change], by asker: Asker) -> [GraphNeed] {
        var all = batch.compactMap(graph)
        guard !all.isEmpty else { return [] }
        let readable = ReadableRecords(of: asker, under: self)
        for index in all.indices { all[index].readable = readable }
        guard all.count > 1 else { return all }
        var found: [GraphNeed] = []
        var places: [String: Int] = [:]
        for graph in all {
            if let place = places[graph.guid] {
                found[place] = found[place].naming(graph.targets)
            } else {
                places[graph.guid] = found.count
                found.append(graph)
            }
        }
        return found
    }

    /// Returns nil if no related record can conflict with the change. A creation has no earlier
    /// state, a change of the present state has no later one, and the author of a resolution has
    /// seen the conflict.
    func graph(of change: Change) -> GraphNeed? {
        guard change.action == .update || change.action == .delete, !change.followsPresent,
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
