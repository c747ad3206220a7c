/// How much a read of many rows may visit.
package struct ReadLimit: Hashable, Sendable {
    package let rows: Int
    /// Bytes of stored text.
    package let bytes: Int

    package init(rows: Int, bytes: Int) {
        self.rows = rows
        self.bytes = bytes
    }

    package static let none = ReadLimit(rows: 1 << 40, bytes: 1 << 40)

    /// Whether rows with so many bytes reach the limit, so that more may follow.
    package func isReached(byRows count: Int, bytes: Int) -> Bool {
        count >= rows || bytes >= self.bytes
    }
}

/// How much stored data a call may read inside its transaction, for which all other writers of the
/// environment wait.
package struct ReadBudget: Hashable, Sendable {
    /// Bytes of the fields of records.
    package let recordBytes: Int
    /// Entries of history, of all records together.
    package let history: ReadLimit
    /// Records that may relate to those that the call changes.
    package let related: ReadLimit
    /// Open conflicts of all records together, for calls that read them.
    package let conflicts: ReadLimit

    package init(
        recordBytes: Int, history: ReadLimit, related: ReadLimit, conflicts: ReadLimit = .none
    ) {
        self.recordBytes = recordBytes
        self.history = history
        self.related = related
        self.conflicts = conflicts
    }

    package static let none = ReadBudget(recordBytes: .max, history: .none, related: .none)
}

/// The data that a call could not read within its budget. Such a call cannot be decided.
package enum Shortage: Hashable, Sendable {
    case records
    case history
}

extension Limits {
    /// The budget of a push. One change alone may read any records, so that a push can always be
    /// divided into pushes that are accepted.
    func budget(ofChanges count: Int) -> ReadBudget {
        ReadBudget(
            recordBytes: count > 1 ? pushRecordBytes : .max,
            history: ReadLimit(rows: pushHistoryEntries, bytes: pushHistoryBytes),
            related: ReadLimit(rows: relatedRecords, bytes: relatedBytes))
    }

    /// The budget of a push from a client without revisions. One record alone may have any size,
    /// and more history than several, which are divided.
    func budget(ofWholeRecords count: Int) -> ReadBudget {
        let history =
            count > 1
            ? ReadLimit(
                rows: min(severalHistoryEntries, wholeHistoryEntries),
                bytes: min(severalHistoryBytes, wholeHistoryBytes))
            : ReadLimit(rows: wholeHistoryEntries, bytes: wholeHistoryBytes)
        return ReadBudget(
            recordBytes: count > 1 ? pushRecordBytes : .max, history: history,
            related: ReadLimit(rows: relatedRecords, bytes: relatedBytes), conflicts: history)
    }
}
