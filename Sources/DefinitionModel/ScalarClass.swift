/// A set of Unicode scalars that may stand at one position of a text.
indirect enum ScalarClass: Sendable {
    case any
    case single(Unicode.Scalar)
    case range(ClosedRange<Unicode.Scalar>)
    case anyOf([ScalarClass])
    case not(ScalarClass)
    case letter, upperCaseLetter, lowerCaseLetter, number

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .any: true
        case .single(let other): scalar == other
        case .range(let range): range.contains(scalar)
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
