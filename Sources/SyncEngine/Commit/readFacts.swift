import ChangeRules
import DefinitionModel

/// The facts that were read at once for several calls.
struct ReadFacts {
    let state: CurrentState
    /// The facts of the first calls, without holders of unique values.
    let facts: [Facts]
    /// The bytes of the fields of their records.
    let recordBytes: Int
}

/// Reads the facts of several calls, up to the one whose records reach `maxRecordBytes` bytes
/// together with those before it. If that is the first call, it is read alone, and only if it
/// `mayExceed` them. One of the calls at most names files of others: to find the records that name
/// them may take tens of milliseconds.
///
/// Takes one read; two where a record has moved on, a file is named or history is asked for; three
/// where records are related, or a file is somebody else's; one more where relations have to be
/// looked up.
func readFacts(
    for needs: [ReadSet], maxRecordBytes: Int, mayExceed: Bool,
    _ transaction: any CommitTransaction
) throws -> ReadFacts {
    var readers = needs.map(FactReader.init)
    let reaching: ReachingRecord = mayExceed ? needs.count > 1 ? .readIfFirst : .read : .left
    let first = readers.map {
        $0.firstRead(maxRecordBytes: maxRecordBytes, reachingRecord: reaching)
    }
    for (reader, rows) in zip(readers, try transaction.read(first)) { reader.takeFirst(rows) }
    guard let state = readers.first?.state else { throw StoreError.environmentGone }
    let fitting = readers.fitting(in: maxRecordBytes)
    if fitting.isEmpty, mayExceed {
        let budget = needs[0].budget.recordBytes
        if readers[0].shortage == .records, budget > maxRecordBytes {
            return try readFacts(
                for: [needs[0]], maxRecordBytes: budget, mayExceed: true, transaction)
        }
        readers = [readers[0]]
    } else {
        readers = fitting
    }
    if readers.contains(where: \.needsMore) { readers = try readMore(for: readers, transaction) }
    return ReadFacts(
        state: state, facts: readers.map { $0.facts(fingerprint: state.fingerprint) },
        recordBytes: readers.reduce(0) { $0 + $1.recordBytes })
}

extension [FactReader] {
    /// The first ones, whose records are all read and do not reach so many bytes.
    fileprivate func fitting(in maxBytes: Int) -> [FactReader] {
        var bytes = 0
        return Array(
            prefix { reader in
                bytes += reader.recordBytes
                return reader.shortage == nil && bytes < maxBytes
            })
    }

    /// The first ones, of which one at most names files of others.
    fileprivate var namingOthersOnce: [FactReader] {
        var count = 0
        return Array(
            prefix { reader in
                count += reader.filesOfOthers.isEmpty ? 0 : 1
                return count <= 1
            })
    }
}

/// Returns the calls that were read.
private func readMore(
    for readers: [FactReader], _ transaction: any CommitTransaction
) throws -> [FactReader] {
    for (reader, rows) in zip(readers, try transaction.read(readers.map { $0.secondRead() })) {
        reader.takeSecond(rows)
    }
    let readers = readers.namingOthersOnce
    for (reader, rows) in zip(readers, try transaction.read(readers.map(\.linkRead))) {
        reader.takeLinks(rows)
    }
    for (reader, rows) in zip(readers, try transaction.read(readers.map { $0.thirdRead() })) {
        reader.third = rows
    }
    return readers
}

/// Reads the facts of one call.
private final class FactReader {
    let need: ReadSet
    private(set) var state: CurrentState?
    private(set) var shortage: Shortage?
    private var outcomes: [String: StoredOutcome] = [:]
    private var records: [String: StoredRecord] = [:]
    private var purged: Set<String> = []
    private var outcomeAmounts: OutcomeAmounts?
    private var second = BatchRows()
    private var related: GraphNeighbours
    var third = BatchRows()

    /// The bytes of the fields of the records that were read.
    var recordBytes: Int { records.values.reduce(0) { $0 + $1.fieldsText.utf8.count } }

    init(_ need: ReadSet) {
        self.need = need
        related = GraphNeighbours(readable: need.graphs.first?.readable)
    }

    // MARK: - First

    func firstRead(maxRecordBytes: Int, reachingRecord: ReachingRecord) -> BatchRead {
        var read = BatchRead()
        read.readsState = true
        read.maxRecordBytes = maxRecordBytes
        read.reachingRecord = reachingRecord
        read.records = need.guids
        if !need.createdGuids.isEmpty {
            read.areCreated = need.guids.map(need.createdGuids.contains)
        }
        read.outcomes = need.changeIDs.map { OutcomeID($0, of: need.device) }
        read.areOutcomesNew = need.areChangesNew
        if let max = need.countsOutcomesUpTo {
            read.outcomeAmounts = [
                OutcomeQuestion(
                    of: need.device.login, upTo: max,
                    includingExpiring: need.countsExpiringOutcomes)
            ]
        }
        return read
    }

    func takeFirst(_ rows: BatchRows) {
        state = rows.state
        if rows.records.count < need.guids.count { shortage = .records }
        outcomeAmounts = rows.outcomeAmounts.first
        for (guid, found) in zip(need.guids, rows.records) {
            switch found {
            case .free: break
            case .purged: purged.insert(guid)
            case .stored(let record): records[guid] = record
            }
        }
        for (id, outcome) in zip(need.changeIDs, rows.outcomes) { outcomes[id] = outcome }
    }

    // MARK: - Second

    /// Whether the first read leaves something to read.
    var needsMore: Bool {
        guard shortage == nil else { return false }
        return !need.files.guids.isEmpty || !graphs.isEmpty || need.historySince != nil
            || records.values.contains { record in
                record.isConflicted
                    || need.baseRevisions[record.guid].map { record.revision > $0 } ?? false
            }
    }

    func secondRead() -> BatchRead {
        var read = BatchRead()
        let starts = historyStarts
        if hasLongHistory(after: starts) { shortage = .history }
        guard shortage == nil else { return read }
        if !starts.isEmpty {
            read.history = [HistoryQuestion(starts, limit: need.budget.history)]
        }
        read.conflictAmounts = conflicted
        read.files = need.files.guids
        if graphs.contains(where: { !$0.sources.isEmpty }) {
            read.changes = [
                ChangesQuestion(after: need.seenSequence, limit: need.budget.related)
            ]
        }
        // Only a change whose author may have missed something opens a conflict.
        if let max = need.countsDisputesUpTo, !read.history.isEmpty || !need.graphs.isEmpty {
            read.disputes = [DisputeQuestion(by: need.device.login, upTo: max)]
        }
        guard let sequence = need.historySince else { return read }
        read.historyCounts = wholeGuids.map {
            HistoryCountQuestion(
                HistoryStart($0, after: .sequence(sequence)), upTo: need.budget.history.rows)
        }
        read.ownershipChanges = recordGuids.map { HistoryStart($0, after: .sequence(sequence)) }
        if !conflicted.isEmpty {
            read.conflicts = [
                ConflictQuestion(conflicted, by: need.device, limit: need.budget.conflicts)
            ]
        }
        return read
    }

    func takeSecond(_ rows: BatchRows) {
        second = rows
        if let history = rows.history.first, history == nil { shortage = .history }
        if let conflicts = rows.conflicts.first, conflicts == nil { shortage = .history }
        if let changes = rows.changes.first { related.note(changes, sources: graphs) }
    }

    /// Without unseen changes in the whole environment there are none of related records.
    private var graphs: [GraphNeed] {
        (state?.moment.sequence ?? 0) > need.seenSequence ? need.graphs : []
    }

    private var recordGuids: [String] { need.guids.filter { records[$0] != nil } }

    private var conflicted: [String] {
        need.guids.filter { records[$0]?.isConflicted ?? false }
    }

    /// Records whose whole history is read although only its end is unconfirmed.
    private var wholeGuids: [String] { need.guids.filter { isWhole($0) } }

    private func isWhole(_ guid: String) -> Bool {
        records[guid].map { $0.isConflicted || $0.isDeleted } ?? false
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
            HistoryStart(guid, after: .sequence(isWhole(guid) ? -1 : sequence))
        }
    }

    /// Whether there are too many revisions after the starts. A record may have more entries than
    /// revisions, so the store counts too.
    private func hasLongHistory(after starts: [HistoryStart]) -> Bool {
        var room = Int64(need.budget.history.rows)
        for start in starts {
            guard case .revision(let base) = start.position, let record = records[start.guid],
                record.revision > base
            else { continue }
            // A request may name any base.
            room -= min(room + 1, record.revision - max(0, base))
            if room < 0 { return true }
        }
        return false
    }

    // MARK: - Third

    /// Asks by the relations of each record where too many records have changed.
    var linkRead: BatchRead {
        var read = BatchRead()
        guard shortage == nil, related.isIncomplete else { return read }
        let asked = graphs.filter { !$0.sources.isEmpty }
        let (rows, bytes) = (need.budget.related.rows, need.budget.related.bytes)
        let limit = ReadLimit(
            rows: max(20, rows / max(1, asked.count)), bytes: bytes / max(1, asked.count))
        read.changedSources = asked.map { graph in
            SourceQuestion(
                naming: graph.guid, models: graph.sources.map(\.model),
                after: need.seenSequence, limit: limit)
        }
        return read
    }

    func takeLinks(_ rows: BatchRows) {
        let asked = graphs.filter { !$0.sources.isEmpty }
        for (graph, sources) in zip(asked, rows.changedSources) {
            related.note(sources, of: graph)
        }
    }

    func thirdRead() -> BatchRead {
        var read = BatchRead()
        guard shortage == nil else { return read }
        related.noteOwn(graphs, records)
        let maxEntries = max(20, 10_000 / max(1, related.guids.count))
        read.effects = related.guids.map { guid in
            EffectQuestion(
                on: guid, after: need.seenSequence, besides: need.device,
                maxEntries: maxEntries)
        }
        if related.countsReadableOnly { read.owners = related.targets }
        let others = filesOfOthers
        if !others.isEmpty {
            read.recordsNamingFiles = [
                NamingQuestion(
                    of: others, to: need.device.login, group: need.files.group,
                    limit: need.files.limit)
            ]
        }
        return read
    }

    /// The guids of the files that the call names and somebody else has uploaded or named first.
    var filesOfOthers: [String] {
        second.files.compactMap { file in file.flatMap { isOthers($0) ? $0.guid : nil } }
    }

    private func isOthers(_ file: StoredFile) -> Bool {
        !file.login.hasSameBytes(as: need.device.login)
    }

    // MARK: - Facts

    func facts(fingerprint: String) -> Facts {
        var facts =
            shortage == nil && needsMore
            ? Facts(
                fingerprint: fingerprint, outcomes: outcomes, records: records, history: history,
                openConflicts: openConflicts, holders: [:], purgedGuids: purged,
                unseenGraphs: unseenGraphs, files: files, unconfirmed: unconfirmed)
            : Facts(
                fingerprint: fingerprint, outcomes: outcomes, records: records, history: [:],
                openConflicts: [:], holders: [:], purgedGuids: purged, unseenGraphs: [],
                shortage: shortage)
        facts.outcomeAmounts = outcomeAmounts
        facts.disputes = second.disputes.first
        return facts
    }

    private var history: [String: [HistoryEntry]] {
        var found: [String: [HistoryEntry]] = [:]
        let histories = second.history.first.flatMap(\.self) ?? []
        for (start, entries) in zip(historyStarts, histories) {
            // Without bases, no entries are the same as no history.
            if need.historySince == nil || !entries.isEmpty { found[start.guid] = entries }
        }
        return found
    }

    private var openConflicts: [String: StoredAmount] {
        Dictionary(
            zip(conflicted, second.conflictAmounts), uniquingKeysWith: { _, later in later })
    }

    private var unseenGraphs: Set<String> {
        related.unseenGraphs(of: graphs, effects: third.effects, owners: third.owners)
    }

    private var files: [String: KnownFile?] {
        var found: [String: KnownFile?] = [:]
        var naming = (third.recordsNamingFiles.first ?? [])[...]
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
            zip(conflicted, second.conflicts.first.flatMap(\.self) ?? []),
            uniquingKeysWith: { _, later in later })
        let counts = Dictionary(
            zip(wholeGuids, second.historyCounts), uniquingKeysWith: { _, later in later })
        let history = history
        var found: [String: Unconfirmed] = [:]
        for (index, guid) in recordGuids.enumerated() {
            found[guid] = Unconfirmed(
                entries: counts[guid] ?? history[guid]?.count ?? 0,
                firstOwnershipChange: second.ownershipChanges[index],
                disputes: disputes[guid] ?? [])
        }
        return found
    }
}
