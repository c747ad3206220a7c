extension TextPattern {
    /// A text that matches, made by choices: `choose` gets how many there are and gives one of
    /// them, from 0. Nil where no plain character would do for some place.
    package func example(choosing choose: (Int) -> Int) -> String? {
        var text = String.UnicodeScalarView()
        var place = 0
        while true {
            switch program.steps[place] {
            case .read(let scalarClass):
                guard let scalar = scalarClass.example(choosing: choose) else { return nil }
                text.append(scalar)
                place += 1
            case .fork(let first, let second):
                // The second one ends a repetition: so any of them ends at last.
                place = text.count < Self.longExample && choose(2) == 0 ? first : second
            case .jump(let target): place = target
            case .end: return String(text)
            }
        }
    }

    /// From so many characters on, an example is brought to its end.
    private static let longExample = 24
}

extension ScalarClass {
    fileprivate func example(choosing choose: (Int) -> Int) -> Unicode.Scalar? {
        switch self {
        case .single(let scalar): return scalar
        case .any, .range, .anyOf, .not, .letter, .upperCaseLetter, .lowerCaseLetter, .number:
            let fitting = Self.plain.filter(contains)
            return fitting.isEmpty ? lowest : fitting[choose(fitting.count)]
        }
    }

    /// For a class of characters that are not plain.
    private var lowest: Unicode.Scalar? {
        switch self {
        case .single(let scalar): scalar
        case .range(let range): range.lowerBound
        case .anyOf(let classes): classes.lazy.compactMap(\.lowest).first
        case .any, .not, .letter, .upperCaseLetter, .lowerCaseLetter, .number: nil
        }
    }

    /// What can be read and typed.
    private static let plain = (UInt8(0x20)..<0x7F).map { Unicode.Scalar($0) }
}
