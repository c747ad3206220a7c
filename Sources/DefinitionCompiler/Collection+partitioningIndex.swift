extension RandomAccessCollection where Index == Int {
    /// The first index whose element fulfils the predicate, where all after it do too; the end if
    /// none does.
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
