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
}
