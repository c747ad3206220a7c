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
            history: history(for: need, records: records),
            openConflicts: records.filter { $0.value.isConflicted }
                .mapValues { openConflicts(of: $0.guid).count },
            holders: found(Array(values)) { holders[$0] },
            sweptGuids: Set(
                need.guids.filter { records[$0] == nil && swept.contains(Key($0)) }),
            unseenGraphs: Set(need.graphs.filter { isUnseen($0, for: need) }.map(\.guid)),
            files: knownFiles(of: need),
            unconfirmed: unconfirmed(of: records, for: need))
    }

    private func history(
        for need: Need, records: [String: StoredRecord]
    ) -> [String: [HistoryEntry]] {
        if let sequence = need.historySince {
            return records.compactMapValues { record in
                let isWhole = record.isConflicted || record.isDeleted
                let entries = history(of: record.guid, since: isWhole ? -1 : sequence)
                return entries.isEmpty ? nil : entries
            }
        }
        return found(Array(need.baseRevisions.keys)) { guid in
            guard let base = need.baseRevisions[guid], let record = records[guid],
                record.revision > base
            else { return nil }
            return history(of: guid, after: base)
        }
    }

    private func unconfirmed(
        of records: [String: StoredRecord], for need: Need
    ) -> [String: Unconfirmed] {
        guard let sequence = need.historySince else { return [:] }
        return records.mapValues { record in
            let key = Key(record.guid)
            return Unconfirmed(
                entries: (historySequences[key] ?? []).count { $0 > sequence },
                firstMove: moves[key]?.first { $0.sequence > sequence },
                disputes: record.isConflicted
                    ? openConflicts(of: record.guid).filter { $0.device == need.device } : [])
        }
    }

    private func history(of guid: String, after base: Int64) -> [HistoryEntry] {
        inOrder((history[Key(guid)] ?? []).filter { $0.revision > base })
    }

    private func history(of guid: String, since sequence: Int64) -> [HistoryEntry] {
        let key = Key(guid)
        let entries = zip(history[key] ?? [], historySequences[key] ?? [])
        return inOrder(entries.filter { $0.1 > sequence }.map(\.0))
    }

    /// Oldest first.
    private func inOrder(_ entries: [HistoryEntry]) -> [HistoryEntry] {
        entries.enumerated().sorted {
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
