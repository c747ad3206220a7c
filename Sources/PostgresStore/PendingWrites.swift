import SyncEngine

/// What calls write that were decided one after the other: for each table one statement, as long as
/// that comes to the same as the statements of each call.
struct PendingWrites {
    private var batches: [WriteBatch] = []
    private var sequenceCount = 0

    /// Adds the writes of the next call. `records` are those that it read, `last` is the sequence
    /// before its own. Gives the last sequence.
    mutating func add(
        _ writes: Writes, of need: Need, formerly records: [String: StoredRecord],
        after last: Int64
    ) -> Int64 {
        var nothing = Writes()
        nothing.at = writes.at
        guard writes != nothing else { return last }
        if batches.last?.takes(writes, of: need.device) != true { batches.append(WriteBatch()) }
        batches[batches.count - 1].add(
            writes, of: need.device, formerly: FormerRecords(need, records), after: last)
        sequenceCount += writes.records.count
        return last + Int64(writes.records.count)
    }

    func statements(in environment: EnvironmentID) -> [Statement] {
        guard sequenceCount > 0 else { return batches.flatMap { $0.statements(in: environment) } }
        let sequences = Statement(
            "UPDATE environments SET sequence = sequence + $2 WHERE id = $1",
            [.integer(environment.number), .integer(Int64(sequenceCount))])
        return batches.flatMap { $0.statements(in: environment) } + [sequences]
    }

    /// Whether `check` has to be called before these statements are committed.
    var needsCheck: Bool { batches.contains { !$0.freedValues.isEmpty } }

    /// `rows` begin with those of these statements.
    func check(_ rows: [Rows]) throws {
        var rows = rows[...]
        for batch in batches {
            if !batch.freedValues.isEmpty, let freed = rows.first {
                try checkFreed(batch.freedValues, freed)
            }
            rows = rows.dropFirst(batch.statementCount)
        }
    }
}
