extension SearchTransaction {
    /// Returns the highest sequence such that no record last changed up to it has a later stamp.
    /// Stamps ascend with sequences, so a binary search of the changes finds it.
    package func sequence(atStamp stamp: Instant) throws -> Int64 {
        var known: Int64 = 0
        var end = try currentState().moment.sequence
        while known < end {
            let middle = known + (end - known) / 2
            if let change = try firstChange(after: middle), change.stamp <= stamp {
                known = change.sequence
            } else {
                end = middle
            }
        }
        return known
    }

    /// Returns the same, or a later sequence: that of the last deletion of a purged record of the
    /// model, or change of the owner or group of any record, up to the stamp. Records do not tell
    /// of these, and there may be many between two records. The changes of other models count,
    /// because a store would have to read all of them to find those of one model.
    package func sequence(atStamp stamp: Instant, ofAllIn model: String) throws -> Int64 {
        var known = try sequence(atStamp: stamp)
        let next = try firstChange(after: known)?.sequence
        let last = try next.map { $0 - 1 } ?? currentState().moment.sequence
        var end = last
        while known < end {
            let change = try firstTrace(of: model, after: known, through: last)
            guard let change, change.stamp <= stamp else { break }
            known = change.sequence
            let middle = known + (end - known) / 2
            if let later = try firstTrace(of: model, after: middle, through: last),
                later.stamp <= stamp
            {
                known = later.sequence
            } else {
                end = middle
            }
        }
        return known
    }

    /// The first deletion of a purged record of the model, or change of owner or group of any
    /// record, after a sequence.
    private func firstTrace(
        of model: String, after sequence: Int64, through last: Int64
    ) throws -> ChangePoint? {
        let purged = try purgedRecords(
            of: model, deletedAfter: sequence, through: last, atMost: 1)
        let move = try firstReassignment(after: sequence, through: last)
        return [purged.first?.change, move].compactMap { $0 }
            .min { $0.sequence < $1.sequence }
    }
}
