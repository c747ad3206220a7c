import SyncEngine

extension Environment {
    func records(_ guids: [String]) -> [String: StoredRecord] {
        found(guids) { records[Key($0)]?.stored }
    }

    func facts(
        for need: Need, records: [String: StoredRecord], holdersOf values: Set<UniqueValue>
    ) -> Facts {
        Facts(
            fingerprint: state.fingerprint,
            outcomes: found(need.changeIDs) { outcomes[OutcomeKey($0, of: need.device)] },
            records: records,
            history: found(Array(need.baseRevisions.keys)) { guid in
                guard let base = need.baseRevisions[guid], let record = records[guid],
                    record.revision > base
                else { return nil }
                return history(of: guid, after: base)
            },
            openConflicts: records.filter { $0.value.isConflicted }
                .mapValues { openConflicts(of: $0.guid).count },
            holders: found(Array(values)) { holders[$0] },
            sweptGuids: Set(
                need.guids.filter { records[$0] == nil && swept.contains(Key($0)) }),
            unseenGraphs: Set(need.graphs.filter { isUnseen($0, for: need) }.map(\.guid)),
            files: knownFiles(of: need))
    }

    /// Oldest first.
    private func history(of guid: String, after base: Int64) -> [HistoryEntry] {
        let entries = (history[Key(guid)] ?? []).filter { $0.revision > base }
        return entries.enumerated().sorted {
            ($0.element.revision, $0.offset) < ($1.element.revision, $1.offset)
        }.map(\.element)
    }

    /// Oldest first.
    func openConflicts(of guid: String) -> [StoredConflict] {
        (conflicts[Key(guid)] ?? []).filter(\.isOpen).map(\.stored)
            .sorted { $0.revision < $1.revision }
    }
}

/// Of these, what there is.
private func found<Name: Hashable, Value>(
    _ names: [Name], _ value: (Name) -> Value?
) -> [Name: Value] {
    names.reduce(into: [:]) { found, name in
        if let value = value(name) { found[name] = value }
    }
}
