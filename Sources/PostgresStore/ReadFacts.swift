import SyncEngine

/// What is read at once for calls of one environment.
struct ReadFacts {
    let state: CurrentState
    private let firstIndex: Int
    private var found: [CallFacts]
    private var holders: [UniqueValue: String] = [:]
    /// Those whose holders, if any, are known.
    private var knownValues: Set<UniqueValue> = []

    static func statements(
        for calls: ArraySlice<CommitCall>, in environment: EnvironmentID
    ) -> [Statement] {
        let needs = calls.map(\.need)
        let guids = Questions(needs, \.guids).values
        return [
            currentState(of: environment), stored(guids, in: environment),
            swept(guids, in: environment),
            outcomes(of: Questions(needs, \.changeIDs), for: needs, in: environment),
            history(of: Questions(needs, \.readBases).values, in: environment),
        ]
    }

    /// Takes the rows of these statements.
    init(_ rows: ArraySlice<Rows>, of calls: ArraySlice<CommitCall>) throws {
        let rows = Array(rows)
        let needs = calls.map(\.need)
        firstIndex = calls.startIndex
        state = try CurrentState(rows[0])
        found = needs.map { _ in CallFacts() }
        let guids = Questions(needs, \.guids)
        try rows[1].each { row in
            let (call, guid) = try guids[row.int()]
            let openConflicts = try row.int()
            let record = try StoredRecord(row: &row)
            found[call].records[guid] = record
            if record.isConflicted { found[call].openConflicts[guid] = openConflicts }
        }
        try rows[2].each { row in
            let (call, guid) = try guids[row.int()]
            if found[call].records[guid] == nil { found[call].swept.insert(guid) }
        }
        let changes = Questions(needs, \.changeIDs)
        try rows[3].each { row in
            let (call, id) = try changes[row.int()]
            found[call].outcomes[id] = StoredOutcome(changeID: id, text: try row.text())
        }
        let bases = Questions(needs, \.readBases)
        try rows[4].each { row in
            let (call, base) = try bases[row.int()]
            found[call].history[base.guid, default: []].append(try HistoryEntry(row: &row))
        }
    }

    func records(at index: Int) -> [String: StoredRecord] { found[index - firstIndex].records }

    /// Asks for those that are not known yet.
    mutating func readHolders(
        of values: Set<UniqueValue>, in environment: EnvironmentID, _ transaction: Transaction
    ) throws {
        let unknown = values.subtracting(knownValues)
        guard !unknown.isEmpty else { return }
        let read = try PostgresStore.holders(of: unknown, in: environment, transaction)
        holders.merge(read) { known, _ in known }
        knownValues.formUnion(unknown)
    }

    /// With more history and holders than the call needs, see `Overlay`. What few calls need is
    /// read now.
    func facts(at index: Int, for need: Need, _ transaction: Transaction) throws -> Facts {
        let found = found[index - firstIndex]
        return Facts(
            fingerprint: state.fingerprint, outcomes: found.outcomes, records: found.records,
            history: need.historySince == nil
                ? found.history : try history(of: found.records, for: need, transaction),
            openConflicts: found.openConflicts, holders: holders, sweptGuids: found.swept,
            unseenGraphs: try unseenGraphs(of: need, transaction),
            files: try knownFiles(of: need, transaction),
            unconfirmed: try unconfirmed(of: found.records, for: need, transaction))
    }
}

/// What is found for one call. Of two texts that look the same the later one counts.
private struct CallFacts {
    var records: [String: StoredRecord] = [:]
    var openConflicts: [String: Int] = [:]
    var outcomes: [String: StoredOutcome] = [:]
    var swept: Set<String> = []
    var history: [String: [HistoryEntry]] = [:]
}

/// What some calls ask for, in one list. Rows name its places, counted from 1.
private struct Questions<Value> {
    let values: [Value]
    private let calls: [Int]

    init(_ needs: [Need], _ asked: (Need) -> [Value]) {
        let found = needs.enumerated().flatMap { call, need in asked(need).map { (call, $0) } }
        calls = found.map(\.0)
        values = found.map(\.1)
    }

    subscript(number: Int) -> (call: Int, value: Value) {
        get throws {
            guard values.indices.contains(number - 1) else {
                throw StoreError.failed("a row answers no question")
            }
            return (calls[number - 1], values[number - 1])
        }
    }

    func map<Other>(_ needs: [Need], _ body: (Need) -> Other) -> [Other] {
        calls.map { body(needs[$0]) }
    }
}

/// A record, and the revision that a change of it was made from.
private struct ReadBase {
    let guid: String
    let revision: Int64
}

extension Need {
    fileprivate var readBases: [ReadBase] {
        historySince == nil
            ? baseRevisions.map { ReadBase(guid: $0.key, revision: $0.value) } : []
    }
}

// Each of these reads what there is for each of many keys. A subquery with an OFFSET is carried out
// for each key by itself, by the index that has the key, whatever the planner knows of the table.

private func stored(_ guids: [String], in environment: EnvironmentID) -> Statement {
    Statement(
        """
        SELECT number, open_conflicts, \(Columns.record)
        FROM unnest($2::text[]) WITH ORDINALITY AS wanted (wanted_guid, number)
        CROSS JOIN LATERAL (
            SELECT \(Columns.record), CASE WHEN is_conflicted THEN (
                SELECT count(*) FROM conflicts
                WHERE environment = $1 AND conflicts.guid = wanted_guid AND is_open)
                ELSE 0 END AS open_conflicts
            FROM records WHERE environment = $1 AND guid = wanted_guid OFFSET 0) AS found
        ORDER BY number
        """, [.integer(environment.number), .texts(guids)])
}

private func swept(_ guids: [String], in environment: EnvironmentID) -> Statement {
    Statement(
        """
        SELECT number FROM unnest($2::text[]) WITH ORDINALITY AS wanted (wanted_guid, number)
        CROSS JOIN LATERAL (
            SELECT 1 FROM swept WHERE environment = $1 AND guid = wanted_guid OFFSET 0) AS found
        """, [.integer(environment.number), .texts(guids)])
}

private func outcomes(
    of changes: Questions<String>, for needs: [Need], in environment: EnvironmentID
) -> Statement {
    Statement(
        """
        SELECT number, outcome
        FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY
            AS wanted (wanted_login, wanted_device, wanted_id, number)
        CROSS JOIN LATERAL (
            SELECT outcome FROM outcomes
            WHERE environment = $1 AND login = wanted_login
                AND device_identifier = wanted_device AND change_id = wanted_id OFFSET 0) AS found
        ORDER BY number
        """,
        [
            .integer(environment.number), .texts(changes.map(needs) { $0.device.login }),
            .texts(changes.map(needs) { $0.device.deviceIdentifier }), .texts(changes.values),
        ])
}

/// Of records that have moved on from the revisions that changes were made from.
private func history(of bases: [ReadBase], in environment: EnvironmentID) -> Statement {
    Statement(
        """
        SELECT number, \(Columns.entry)
        FROM unnest($2::text[], $3::bigint[]) WITH ORDINALITY
            AS base (base_guid, base_revision, number)
        CROSS JOIN LATERAL (
            SELECT id, \(Columns.entry) FROM history
            WHERE environment = $1 AND guid = base_guid AND revision > base_revision
            OFFSET 0) AS found
        ORDER BY number, revision, id
        """,
        [
            .integer(environment.number), .texts(bases.map(\.guid)),
            .integers(bases.map(\.revision)),
        ])
}
