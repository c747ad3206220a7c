import ChangeRules
import DefinitionModel

/// The facts of several calls, read for all of them at once, without holders of unique values.
///
/// Takes one read; two where a record has moved on, a file is named or history is asked for; three
/// where records are related, or a file is somebody else's.
func readFacts(
    for needs: [ReadSet], _ transaction: any CommitTransaction
) throws -> (state: CurrentState, facts: [Facts]) {
    let readers = needs.map(FactReader.init)
    for (reader, rows) in zip(readers, try transaction.read(readers.map(\.firstRead))) {
        reader.takeFirst(rows)
    }
    guard let state = readers.first?.state else { throw StoreError.environmentGone }
    if readers.contains(where: \.needsMore) {
        for (reader, rows) in zip(readers, try transaction.read(readers.map(\.secondRead))) {
            reader.second = rows
        }
        for (reader, rows) in zip(readers, try transaction.read(readers.map(\.thirdRead))) {
            reader.third = rows
        }
    }
    return (state, readers.map { $0.facts(fingerprint: state.fingerprint) })
}

/// Reads the facts of one call.
private final class FactReader {
    let need: ReadSet
    private(set) var state: CurrentState?
    private var outcomes: [String: StoredOutcome] = [:]
    private var records: [String: StoredRecord] = [:]
    private var swept: Set<String> = []
    private var outcomeAmounts: OutcomeAmounts?
    var second = BatchRows()
    var third = BatchRows()

    init(_ need: ReadSet) { self.need = need }

    // MARK: - First

    var firstRead: BatchRead {
        var read = BatchRead()
        read.readsState = true
        read.records = need.guids
        read.outcomes = need.changeIDs.map { OutcomeID($0, of: need.device) }
        if let max = need.countsOutcomesUpTo {
            read.outcomeAmounts = [OutcomeQuestion(of: need.device, upTo: max)]
        }
        return read
    }

    func takeFirst(_ rows: BatchRows) {
        state = rows.state
        outcomeAmounts = rows.outcomeAmounts.first
        for (guid, found) in zip(need.guids, rows.records) {
            switch found {
            case .free: break
            case .swept: swept.insert(guid)
            case .stored(let record): records[guid] = record
            }
        }
        for (id, outcome) in zip(need.changeIDs, rows.outcomes) { outcomes[id] = outcome }
    }

    // MARK: - Second

    /// Whether the first read leaves something to read.
    var needsMore: Bool {
        !need.files.guids.isEmpty || !need.graphs.isEmpty || need.historySince != nil
            || records.values.contains { record in
                record.isConflicted
                    || need.baseRevisions[record.guid].map { record.revision > $0 } ?? false
            }
    }

    var secondRead: BatchRead {
        var read = BatchRead()
        read.history = historyStarts
        read.conflictCounts = conflicted
        read.files = need.files.guids
        read.changedSources = need.graphs.map { graph in
            SourceQuestion(
                naming: graph.guid, models: graph.sources.map(\.model), after: need.seenSequence)
        }
        // Only a change whose author may have missed something opens a conflict.
        if let max = need.countsDisputesUpTo, !read.history.isEmpty || !need.graphs.isEmpty {
            read.disputes = [DisputeQuestion(by: need.device.login, upTo: max)]
        }
        guard let sequence = need.historySince else { return read }
        let starts = recordGuids.map { HistoryStart($0, after: .sequence(sequence)) }
        read.historyCounts = starts
        read.moves = starts
        read.conflicts = conflicted
        return read
    }

    private var recordGuids: [String] { need.guids.filter { records[$0] != nil } }

    private var conflicted: [String] {
        need.guids.filter { records[$0]?.isConflicted ?? false }
    }

    /// Starts for records that changed after their base; for every record if bases are unknown.
    private var historyStarts: [HistoryStart] {
        guard let sequence = need.historySince else {
            return need.baseRevisions.compactMap { guid, base in
                guard let record = records[guid], record.revision > base else { return nil }
                return HistoryStart(guid, after: .revision(base))
            }
        }
        return recordGuids.map { guid in
            let isWhole = records[guid].map { $0.isConflicted || $0.isDeleted } ?? false
            return HistoryStart(guid, after: .sequence(isWhole ? -1 : sequence))
        }
    }

    // MARK: - Third

    var thirdRead: BatchRead {
        var read = BatchRead()
        read.effects = zip(need.graphs, second.changedSources).map { graph, sources in
            EffectQuestion(
                on: related(to: graph, changedSources: sources), after: need.seenSequence,
                besides: need.device)
        }
        read.recordsNamingFiles = second.files.compactMap { file in
            file.flatMap { isOthers($0) ? request(for: $0) : nil }
        }
        return read
    }

    private func related(
        to graph: GraphNeed, changedSources: [StoredRecord]
    ) -> [String] {
        let own = records[graph.guid]
        let sources = changedSources.filter { source in
            graph.sources.contains { source.target(of: $0)?.hasSameBytes(as: graph.guid) ?? false }
        }
        return graph.targets + graph.relations.compactMap { own?.target(of: $0) }
            + sources.map(\.guid)
    }

    private func isOthers(_ file: StoredFile) -> Bool {
        !file.login.hasSameBytes(as: need.device.login)
    }

    private func request(for file: StoredFile) -> FileRequest {
        FileRequest(
            environment: need.environment, guid: file.guid, login: need.device.login,
            group: need.files.group, limit: need.files.limit)
    }

    // MARK: - Facts

    func facts(fingerprint: String) -> Facts {
        var facts =
            needsMore
            ? Facts(
                fingerprint: fingerprint, outcomes: outcomes, records: records, history: history,
                openConflicts: openConflicts, holders: [:], sweptGuids: swept,
                unseenGraphs: unseenGraphs, files: files, unconfirmed: unconfirmed)
            : Facts(
                fingerprint: fingerprint, outcomes: outcomes, records: records, history: [:],
                openConflicts: [:], holders: [:], sweptGuids: swept, unseenGraphs: [])
        facts.outcomeAmounts = outcomeAmounts
        facts.disputes = second.disputes.first
        return facts
    }

    private var history: [String: [HistoryEntry]] {
        var found: [String: [HistoryEntry]] = [:]
        for (start, entries) in zip(historyStarts, second.history) {
            // Without bases, no entries are the same as no history.
            if need.historySince == nil || !entries.isEmpty { found[start.guid] = entries }
        }
        return found
    }

    private var openConflicts: [String: Int] {
        Dictionary(
            zip(conflicted, second.conflictCounts), uniquingKeysWith: { _, later in later })
    }

    private var unseenGraphs: Set<String> {
        Set(zip(need.graphs, third.effects).compactMap { $1 ? $0.guid : nil })
    }

    private var files: [String: KnownFile?] {
        var found: [String: KnownFile?] = [:]
        var naming = third.recordsNamingFiles[...]
        for (guid, file) in zip(need.files.guids, second.files) {
            let known = file.map { file in
                KnownFile(
                    file: file, namedBy: isOthers(file) ? naming.popFirst() ?? [] : [])
            }
            found.updateValue(known, forKey: guid)
        }
        return found
    }

    private var unconfirmed: [String: Unconfirmed] {
        guard need.historySince != nil else { return [:] }
        let disputes = Dictionary(
            zip(conflicted, second.conflicts), uniquingKeysWith: { _, later in later })
        var found: [String: Unconfirmed] = [:]
        for (index, guid) in recordGuids.enumerated() {
            found[guid] = Unconfirmed(
                entries: second.historyCounts[index], firstMove: second.moves[index],
                disputes: (disputes[guid] ?? []).filter { $0.device == need.device })
        }
        return found
    }
}

extension StoredRecord {
    /// The guid that a relation names; nil if the record is of another model.
    fileprivate func target(of relation: RelationName) -> String? {
        model.hasSameBytes(as: relation.model) ? textValue(of: relation.field) : nil
    }
}
