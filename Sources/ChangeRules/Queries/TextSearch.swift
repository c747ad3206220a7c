/// Finds a part in texts in time proportional to their length, whatever the two are (Knuth, Morris
/// and Pratt).
package struct TextSearch: Hashable, Sendable {
    private let part: [Unicode.Scalar]
    /// For each number of scalars that match, how many of them match when the last one is also the
    /// last of a shorter beginning of the part.
    private let shorter: [Int]

    package init(for part: [Unicode.Scalar]) {
        var shorter = [Int](repeating: 0, count: part.count + 1)
        var matched = 0
        for index in part.indices.dropFirst() {
            while matched > 0, part[index] != part[matched] { matched = shorter[matched] }
            if part[index] == part[matched] { matched += 1 }
            shorter[index + 1] = matched
        }
        self.part = part
        self.shorter = shorter
    }

    /// The position of the first occurrence from a position on; nil if there is none.
    package func firstIndex(in text: [Unicode.Scalar], from start: Int = 0) -> Int? {
        guard !part.isEmpty else { return start <= text.count ? start : nil }
        var matched = 0
        for index in start..<max(start, text.count) {
            while matched > 0, text[index] != part[matched] { matched = shorter[matched] }
            if text[index] == part[matched] { matched += 1 }
            if matched == part.count { return index + 1 - part.count }
        }
        return nil
    }
}
