/// The known name that somebody probably meant: the nearest one, if it is near. Upper and lower
/// case are the same here, and a swap of two neighbours is one mistake.
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

/// So that a document full of mistakes takes no longer than others.
private let mostNamesToCompare = 1000

/// A name made ready to be compared with others: how many letters to insert, leave out, replace, or
/// swap with their neighbour.
///
/// A column of the usual table is kept in the bits of a word, and made from the one before in a few
/// steps (Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances",
/// 2003).
struct NameComparison {
    private let count: Int
    /// For each byte, at which letters of the name it stands.
    private let positions: [UInt64]

    /// Nil for a name of no letters, or of more than a word has bits: it is refused anyway.
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
