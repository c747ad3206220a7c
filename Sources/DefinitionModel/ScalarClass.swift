/// A set of Unicode scalars that may stand at one position of a text.
indirect enum ScalarClass: Hashable, Sendable {
    case any
    case single(Unicode.Scalar)
    case range(ClosedRange<Unicode.Scalar>)
    /// Ascending ranges that do not overlap.
    case ranges([ClosedRange<Unicode.Scalar>])
    case anyOf([ScalarClass])
    case not(ScalarClass)
    case letter, upperCaseLetter, lowerCaseLetter, number

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .any: true
        case .single(let other): scalar == other
        case .range(let range): range.contains(scalar)
        case .ranges(let ranges): ranges.include(scalar)
        case .anyOf(let classes): classes.contains { $0.contains(scalar) }
        case .not(let other): !other.contains(scalar)
        case .letter: scalar.isIn(Self.letters)
        case .upperCaseLetter: scalar.isIn([.uppercaseLetter])
        case .lowerCaseLetter: scalar.isIn([.lowercaseLetter])
        case .number: scalar.isIn(Self.numbers)
        }
    }

    private static let letters: [Unicode.GeneralCategory] = [
        .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
    ]

    private static let numbers: [Unicode.GeneralCategory] = [
        .decimalNumber, .letterNumber, .otherNumber,
    ]
}

extension ScalarClass {
    /// A class of all scalars of the parts. Few comparisons find a scalar, even among many parts.
    static func union(of parts: [ScalarClass]) -> ScalarClass {
        guard parts.count > 8 else { return .anyOf(parts) }
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        // There are only a few different ones.
        var others: [ScalarClass] = []
        var open = parts
        while let part = open.popLast() {
            switch part {
            case .single(let scalar): ranges.append(scalar...scalar)
            case .range(let range): ranges.append(range)
            case .ranges(let more): ranges += more
            case .anyOf(let more): open += more
            case .any, .not, .letter, .upperCaseLetter, .lowerCaseLetter, .number:
                if !others.contains(part) { others.append(part) }
            }
        }
        return .anyOf([.ranges(merged(ranges))] + others)
    }

    private static func merged(
        _ ranges: [ClosedRange<Unicode.Scalar>]
    ) -> [ClosedRange<Unicode.Scalar>] {
        var merged: [ClosedRange<Unicode.Scalar>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] =
                    last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }
}

extension [ClosedRange<Unicode.Scalar>] {
    /// Whether one of the ascending ranges contains the scalar.
    fileprivate func include(_ scalar: Unicode.Scalar) -> Bool {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low].contains(scalar)
    }
}

extension ScalarClass {
    /// The escapes: a backslash and one letter.
    static let escapes: [Unicode.Scalar: ScalarClass] = [
        "d": digit, "D": .not(digit), "w": word, "W": .not(word), "s": blank, "S": .not(blank),
        "n": .single("\n"), "r": .single("\r"), "t": .single("\t"),
    ]

    /// The names that `\p{…}` accepts.
    static let properties: [(name: String, property: ScalarClass)] = [
        ("L", .letter), ("Lu", .upperCaseLetter), ("Ll", .lowerCaseLetter), ("N", .number),
    ]

    private static let digit = ScalarClass.range("0"..."9")
    private static let word = ScalarClass.anyOf([
        digit, .range("a"..."z"), .range("A"..."Z"), .single("_"),
    ])
    private static let blank = ScalarClass.anyOf([
        .single(" "), .single("\t"), .single("\n"), .single("\r"),
    ])
}

extension Unicode.Scalar {
    fileprivate func isIn(_ categories: [Unicode.GeneralCategory]) -> Bool {
        categories.contains(properties.generalCategory)
    }
}
