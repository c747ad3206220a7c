import ChangeRules
import SyncEngine

extension Environment {
    /// Whether a related record was changed by others since the device last looked.
    func isUnseen(_ graph: GraphNeed, for need: Need) -> Bool {
        let own = graph.relations.compactMap { target(of: $0, from: Key(graph.guid)) }
        let sources = records.keys.filter { source in
            graph.sources.contains { target(of: $0, from: source) == Key(graph.guid) }
        }
        return (graph.targets.map(Key.init) + own + sources).contains { guid in
            wasChanged(guid, for: need)
        }
    }

    private func target(of relation: RelationName, from guid: Key) -> Key? {
        guard let record = records[guid]?.stored, Key(record.model) == Key(relation.model) else {
            return nil
        }
        return record.textValue(of: relation.field).map(Key.init)
    }

    private func wasChanged(_ guid: Key, for need: Need) -> Bool {
        zip(history[guid] ?? [], historySequences[guid] ?? []).contains { entry, sequence in
            let isOwn =
                Key(entry.login) == Key(need.device.login)
                && Key(entry.deviceIdentifier) == Key(need.device.deviceIdentifier)
            return sequence > need.seenSequence && entry.kind.tookEffect && !isOwn
        }
    }
}
