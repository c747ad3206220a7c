import ChangeRules
import DefinitionModel

/// The records that relate to those of a call by relations with `analyzeConflict`, as far as an
/// unseen change of them is possible.
///
/// A record that the asker may not see does not count, and neither does a relation in a field that
/// they may not read: the outcome of a change would tell of them.
struct GraphNeighbours {
    /// Nil if all records count.
    private let readable: ReadableRecords?
    /// Whether it has to be looked up by the relations of each record which of them have changed.
    private(set) var isIncomplete = false
    /// The related records of each graph, by its guid.
    private var byGraph: [String: [String]] = [:]
    /// Guids of graphs with more records than the call may visit. They count as changed.
    private var unbounded: Set<String> = []
    /// Every related record once.
    private(set) var guids: [String] = []
    private var known: Set<String> = []
    /// The related records of which it is not known yet whether the asker may see them.
    private(set) var targets: [String] = []

    init(readable: ReadableRecords?) { self.readable = readable }

    var countsReadableOnly: Bool { readable != nil }

    /// Takes all changed records of the environment; nil if these are too many.
    mutating func note(_ changes: [StoredRecord]?, sources graphs: [GraphNeed]) {
        guard let changes else {
            isIncomplete = true
            return
        }
        let byGuid = Dictionary(graphs.map { ($0.guid, $0) }, uniquingKeysWith: { $1 })
        let relations = Set(graphs.flatMap(\.sources))
        for record in changes {
            for relation in relations {
                guard let target = target(of: relation, in: record), let graph = byGuid[target],
                    graph.guid.hasSameBytes(as: target), graph.sources.contains(relation)
                else { continue }
                add(record.guid, to: target)
            }
        }
    }

    /// Takes the changed records that name the graph's; nil if more of them name it than may be
    /// visited.
    mutating func note(_ sources: [StoredRecord]?, of graph: GraphNeed) {
        guard let sources else {
            unbounded.insert(graph.guid)
            return
        }
        for source in sources
        where graph.sources.contains(where: {
            target(of: $0, in: source)?.hasSameBytes(as: graph.guid) ?? false
        }) {
            add(source.guid, to: graph.guid)
        }
    }

    /// The guid that a relation of a record names, as far as the asker may see it.
    private func target(of relation: RelationName, in record: StoredRecord) -> String? {
        guard readable?.shows(relation.field, of: OwnedRecord(of: record)) ?? true else {
            return nil
        }
        return record.target(of: relation)
    }

    /// Adds the records that the graphs' own records name.
    mutating func noteOwn(_ graphs: [GraphNeed], _ records: [String: StoredRecord]) {
        for graph in graphs {
            let own = records[graph.guid]
            for target in graph.targets
                + graph.relations.compactMap({ relation in
                    own.flatMap { self.target(of: relation, in: $0) }
                })
            {
                if !known.contains(target) { targets.append(target) }
                add(target, to: graph.guid)
            }
        }
    }

    private mutating func add(_ guid: String, to graph: String) {
        byGraph[graph, default: []].append(guid)
        if known.insert(guid).inserted { guids.append(guid) }
    }

    /// Gives the guids of the graphs with an unseen change. `effects` says for each of `guids`
    /// whether it has one; `owners` has the owners of `targets`, unless all records count.
    func unseenGraphs(
        of graphs: [GraphNeed], effects: [Bool], owners: [OwnedRecord?]
    ) -> Set<String> {
        var changed = Set(zip(guids, effects).compactMap { $1 ? $0 : nil })
        if let readable {
            for (guid, owner) in zip(targets, owners) where owner.map(readable.contains) != true {
                changed.remove(guid)
            }
        }
        return Set(
            graphs.map(\.guid).filter { guid in
                unbounded.contains(guid)
                    || byGraph[guid]?.contains(where: changed.contains) ?? false
            })
    }
}

extension StoredRecord {
    /// The guid that a relation names; nil if the record is of another model.
    fileprivate func target(of relation: RelationName) -> String? {
        model.hasSameBytes(as: relation.model) ? textValue(of: relation.field) : nil
    }
}
