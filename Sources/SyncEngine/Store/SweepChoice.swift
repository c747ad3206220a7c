/// A deleted record that may be purged.
package struct Tombstone: Hashable, Sendable {
    package let guid: String
    package let sequence: Int64

    package init(guid: String, sequence: Int64) {
        self.guid = guid
        self.sequence = sequence
    }
}

/// The effect of one purge.
package struct SweepChoice: Sendable {
    package let purged: [Tombstone]
    /// The oldest one, if it has too many history entries to be purged at once. It loses as many as
    /// requested.
    package let shortened: Tombstone?
    package let result: SweepResult

    /// The least that the environment's horizon is afterwards; nil if nothing is purged.
    package var horizon: Int64? { purged.map(\.sequence).max() }

    /// - Parameters:
    ///   - found: The oldest tombstones first, and one more than requested if there is one.
    ///   - count: The number of a tombstone's history entries, or one more than requested if it has
    ///     more.
    package init<Failure: Error>(
        of request: SweepRequest, among found: [Tombstone],
        countingEntries count: (Tombstone) throws(Failure) -> Int
    ) throws(Failure) {
        var purged: [Tombstone] = []
        var room = request.historyRows
        for tombstone in found.prefix(request.limit) {
            room -= try count(tombstone)
            guard room >= 0 else { break }
            purged.append(tombstone)
        }
        self.purged = purged
        shortened = purged.isEmpty ? found.first : nil
        result = SweepResult(records: purged.count, hasMore: found.count > purged.count)
    }
}
