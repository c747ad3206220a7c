import ChangeRules
import DefinitionModel
import SyncEngine

extension StoredAmount {
    fileprivate init(of texts: [String]) {
        self.init(rows: texts.count, bytes: texts.reduce(0) { $0 + $1.utf8.count })
    }
}

extension Environment {
    func rows(of request: BatchRead) -> BatchRows {
        var rows = BatchRows()
        if request.readsState {
            rows.state = CurrentState(
                fingerprint: state.fingerprint, moment: moment, lastStamp: lastStamp)
        }
        rows.records = found(request)
        rows.outcomes = request.outcomes.map { id in
            outcomes[OutcomeKey(id)].map {
                StoredOutcome(
                    changeID: id.changeID, text: $0.text, isTraceless: $0.isTraceless)
            }
        }
        rows.purged = request.purgedGuids.map { purged[ByteKey($0)] != nil }
        rows.history = request.history.map { question in
            let histories = question.starts.map(entries)
            let texts = histories.joined().map(\.fieldsText)
            return question.limit.includes(texts) ? histories : nil
        }
        rows.historyCounts = request.historyCounts.map {
            min($0.max, entries(after: $0.start).count)
        }
        rows.ownershipChanges = request.ownershipChanges.map(firstOwnershipChange)
        rows.conflictAmounts = request.conflictAmounts.map {
            StoredAmount(of: openConflicts(of: $0).map(\.text))
        }
        rows.conflicts = request.conflicts.map(openConflicts(for:))
        rows.holders = request.holders.map { holders[$0] }
        rows.owners = request.owners.map { records[ByteKey($0)].map { OwnedRecord(of: $0.stored) } }
        rows.changes = request.changes.map(changes)
        rows.changedSources = request.changedSources.map(sources)
        rows.effects = request.effects.map(hasEffect)
        rows.files = request.files.map { files[ByteKey($0)] }
        rows.recordsNamingFiles = request.recordsNamingFiles.map(recordsNaming)
        rows.outcomeAmounts = request.outcomeAmounts.map(outcomeAmounts)
        rows.disputes = request.disputes.map(disputes)
        return rows
    }

    private func openConflicts(for question: ConflictQuestion) -> [[StoredConflict]]? {
        let found = question.guids.map { guid in
            openConflicts(of: guid).filter {
                ByteKey($0.device.login) == ByteKey(question.device.login)
                    && ByteKey($0.device.deviceIdentifier)
                        == ByteKey(question.device.deviceIdentifier)
            }
        }
        return question.limit.includes(found.joined().map(\.text)) ? found : nil
    }

    private func found(_ request: BatchRead) -> [FoundState] {
        var size = RecordReadSize(of: request)
        var states: [FoundState] = []
        for state in request.records.lazy.map(found) {
            guard size.takes(state) else { break }
            states.append(state)
        }
        return states
    }

    private func outcomeAmounts(of question: OutcomeQuestion) -> OutcomeAmounts {
        let ofUser = outcomes.values.filter {
            ByteKey($0.id.device.login) == question.login
                && ($0.expiresAt == nil || question.includesExpiring && !$0.isTraceless)
        }.sorted {
            (ByteKey($0.id.device.deviceIdentifier), ByteKey($0.id.changeID))
                < (ByteKey($1.id.device.deviceIdentifier), ByteKey($1.id.changeID))
        }.prefix(question.maxRows)
        let ofDevices = Dictionary(grouping: ofUser) { ByteKey($0.id.device.deviceIdentifier) }
        return OutcomeAmounts(
            ofDevices: ofDevices.mapValues { StoredAmount(of: $0.map(\.text)) })
    }

    private func disputes(of question: DisputeQuestion) -> StoredAmount {
        let open = conflicts.values.joined().filter {
            $0.isOpen && ByteKey($0.stored.device.login) == ByteKey(question.login)
        }
        return StoredAmount(of: open.prefix(question.maxRows).map(\.stored.text))
    }

    private func found(_ guid: String) -> FoundState {
        let key = ByteKey(guid)
        return records[key].map { .stored($0.stored) } ?? (purged[key] != nil ? .purged : .free)
    }

    private func entries(after start: HistoryStart) -> [HistoryEntry] {
        let key = ByteKey(start.guid)
        let entries = zip(history[key] ?? [], historySequences[key] ?? [])
        let later = entries.filter { entry, sequence in
            switch start.position {
            case .revision(let revision): entry.revision > revision
            case .sequence(let first): sequence > first
            }
        }
        return later.map(\.0).enumerated().sorted {
            ($0.element.revision, $0.offset) < ($1.element.revision, $1.offset)
        }.map(\.element)
    }

    private func firstOwnershipChange(after start: HistoryStart) -> OwnershipChange? {
        ownershipChanges[ByteKey(start.guid)]?.first { change in
            switch start.position {
            case .revision(let revision): change.revision > revision
            case .sequence(let sequence): change.sequence > sequence
            }
        }
    }

    /// Oldest first.
    func openConflicts(of guid: String) -> [StoredConflict] {
        (conflicts[ByteKey(guid)] ?? []).filter(\.isOpen).map(\.stored)
            .sorted { $0.revision < $1.revision }
    }

    private func changes(for question: ChangesQuestion) -> [StoredRecord]? {
        let changed = records.values.filter { $0.sequence > question.afterSequence }
            .sorted { $0.sequence < $1.sequence }.map(\.stored)
        return question.limit.includes(changed.map(\.fieldsText)) ? changed : nil
    }

    private func sources(of question: SourceQuestion) -> [StoredRecord]? {
        let linked = links.filter { link, isCurrent in
            isCurrent && link.target == ByteKey(question.target)
        }
        let changed = linked.keys.compactMap { link -> StoredRecord? in
            guard let record = records[link.source], record.sequence > question.afterSequence,
                question.models.contains(where: { ByteKey($0) == ByteKey(record.stored.model) })
            else { return nil }
            return record.stored
        }
        return linked.count <= question.limit.rows
            && question.limit.includes(changed.map(\.fieldsText)) ? changed : nil
    }

    private func hasEffect(_ question: EffectQuestion) -> Bool {
        let key = ByteKey(question.guid)
        let later = zip(history[key] ?? [], historySequences[key] ?? []).filter {
            $1 > question.afterSequence
        }
        return later.count > question.maxEntries
            || later.contains { entry, _ in
                let isOwn =
                    ByteKey(entry.login) == ByteKey(question.device.login)
                    && ByteKey(entry.deviceIdentifier) == ByteKey(question.device.deviceIdentifier)
                return entry.kind.tookEffect && !isOwn
            }
    }
}

extension ReadLimit {
    fileprivate func includes(_ texts: [String]) -> Bool {
        texts.count <= rows && texts.reduce(0) { $0 + $1.utf8.count } <= bytes
    }
}
