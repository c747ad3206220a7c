/// The known name that somebody probably meant: the nearest one, if it is near. Upper and lower
/// case are the same here, and a swap of two neighbours is one mistake.
func nearest(to name: String, in known: [String]) -> String? {
    let letters = Array(name.lowercased().utf8)
    guard letters.count <= longestNameToCompare else { return nil }
    var best: String?
    var bestDistance = max(1, letters.count / 3) + 1
    for candidate in known.prefix(mostNamesToCompare)
    where abs(candidate.utf8.count - letters.count) < bestDistance {
        let distance = distance(
            from: letters, to: Array(candidate.lowercased().utf8), below: bestDistance)
        if distance < bestDistance {
            best = candidate
            bestDistance = distance
        }
    }
    return best
}

/// Longer ones are refused anyway, and the comparison costs the square of the length.
private let longestNameToCompare = 100

/// So that a document full of mistakes takes no longer than others.
private let mostNamesToCompare = 1000

/// How many letters to insert, leave out, replace or swap; the bound when it is not below that.
private func distance(from left: [UInt8], to right: [UInt8], below bound: Int) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
        var current = [row + 1]
        current.reserveCapacity(right.count + 1)
        for column in right.indices {
            let isSame = left[row] == right[column]
            var cost = min(
                last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                cost = min(cost, beforeLast[column - 1] + 1)
            }
            current.append(cost)
        }
        guard current.contains(where: { $0 < bound }) else { return bound }
        beforeLast = last
        last = current
    }
    return last[right.count]
}
