extension RandomAccessCollection where Index == Int {
    /// The index of the first element that satisfies the predicate, or the end. The collection must
    /// be partitioned by the predicate.
    func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
        var range = startIndex..<endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range =
                isAfter(self[middle])
                ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }
}
