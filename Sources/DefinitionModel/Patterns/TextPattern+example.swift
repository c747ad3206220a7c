extension TextPattern {
    /// Returns a text that matches the pattern. `choose` gets the number of alternatives and
    /// returns the index of one.
    ///
    /// Nil if some position accepts no printable ASCII character.
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
                // `second` leaves the repetition, so every example is finite.
                place = text.count < Self.longExample && choose(2) == 0 ? first : second
            case .jump(let target): place = target
            case .end: return String(text)
            }
        }
    }

    /// In scalars. Beyond this length an example leaves every repetition.
    private static let longExample = 24
}

extension ScalarClass {
    fileprivate func example(choosing choose: (Int) -> Int) -> Unicode.Scalar? {
        switch self {
        case .single(let scalar): return scalar
        case .any, .range, .ranges, .anyOf, .not, .letter, .upperCaseLetter, .lowerCaseLetter,
            .number:
            let fitting = Self.plain.filter(contains)
            return fitting.isEmpty ? lowest : fitting[choose(fitting.count)]
        }
    }

    /// The lowest scalar of a class without printable ASCII.
    private var lowest: Unicode.Scalar? {
        switch self {
        case .single(let scalar): scalar
        case .range(let range): range.lowerBound
        case .ranges(let ranges): ranges.first?.lowerBound
        case .anyOf(let classes): classes.lazy.compactMap(\.lowest).first
        case .any, .not, .letter, .upperCaseLetter, .lowerCaseLetter, .number: nil
        }
    }

    /// Printable ASCII.
    private static let plain = (UInt8(0x20)..<0x7F).map { Unicode.Scalar($0) }
}
