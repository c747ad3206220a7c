/// The known name closest to a misspelled one, if it is close enough. The comparison ignores case
/// and counts a transposition of neighbours as one edit.
package func nearest(to name: String, in known: [String]) -> String? {
    let letters = Array(name.lowercased().utf8)
    guard let comparison = NameComparison(letters) else { return nil }
    var best: String?
    var bestDistance = max(1, letters.count / 3) + 1
    for candidate in known.prefix(mostNamesToCompare)
    where abs(candidate.utf8.count - letters.count) < bestDistance {
        let distance = comparison.distance(to: candidate.lowercased().utf8)
        if distance < bestDistance {
            best = candidate
            bestDistance = distance
        }
    }
    return best
}

/// Bounds the time for a document full of errors.
private let mostNamesToCompare = 1000

/// A name prepared for computing its edit distance (insertions, deletions, replacements,
/// transpositions) to other names.
///
/// The bits of a word hold one column of the dynamic programming table; each column follows from
/// the previous one in a few steps (Hyyrö, "A bit-vector algorithm for computing Levenshtein and
/// Damerau edit distances", 2003).
struct NameComparison {
    private let count: Int
    /// For each byte value, a bit mask of its positions in the name.
    private let positions: [UInt64]

    /// Nil for an empty name, or one longer than a word has bits: such a name is invalid anyway.
    init?(_ letters: [UInt8]) {
        guard (1...UInt64.bitWidth).contains(letters.count) else { return nil }
        var positions = [UInt64](repeating: 0, count: 256)
        for (index, letter) in letters.enumerated() { positions[Int(letter)] |= 1 << index }
        self.positions = positions
        count = letters.count
    }

    func distance(to other: some Sequence<UInt8>) -> Int {
        let last: UInt64 = 1 << (count - 1)
        var rises = UInt64.max
        var falls: UInt64 = 0
        var diagonal: UInt64 = 0
        var before: UInt64 = 0
        var distance = count
        for letter in other {
            let matches = positions[Int(letter)]
            let swaps = ((~diagonal & matches) << 1) & before
            diagonal = (((matches & rises) &+ rises) ^ rises) | matches | falls | swaps
            var grows = falls | ~(diagonal | rises)
            var shrinks = diagonal & rises
            if grows & last != 0 { distance += 1 }
            if shrinks & last != 0 { distance -= 1 }
            grows = grows << 1 | 1
            shrinks <<= 1
            rises = shrinks | ~(diagonal | grows)
            falls = grows & diagonal
            before = matches
        }
        return distance
    }
}
