/// The syntax tree of a pattern.
indirect enum PatternTree {
    case empty
    case scalar(ScalarClass)
    case sequence([PatternTree])
    case choice([PatternTree])
    /// A nil maximum means unbounded.
    case repetition(PatternTree, min: Int, max: Int?)
}

/// A recursive descent parser of patterns.
struct PatternParser {
    private let scalars: [Unicode.Scalar]
    private var offset = 0
    private var depth = 0

    private static let maxDepth = 50
    /// The maximum count of one repetition. `TextPattern.maxSteps` limits their product.
    private static let maxCount = 1000

    init(_ source: String) {
        scalars = Array(source.unicodeScalars)
    }

    mutating func pattern() throws(PatternError) -> PatternTree {
        let tree = try choice()
        guard current == nil else { throw problem(.unopenedGroup) }
        return tree
    }

    private mutating func choice() throws(PatternError) -> PatternTree {
        var branches = [try sequence()]
        while skip("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws(PatternError) -> PatternTree {
        var parts: [PatternTree] = []
        while let scalar = current, scalar != "|", scalar != ")" {
            parts.append(try repeated(try atom(scalar)))
        }
        return parts.isEmpty ? .empty : .sequence(parts)
    }

    private mutating func atom(_ scalar: Unicode.Scalar) throws(PatternError) -> PatternTree {
        switch scalar {
        case "(": return try group()
        case "[": return .scalar(try scalarClass())
        case ".":
            offset += 1
            return .scalar(.any)
        case "\\": return .scalar(try escape())
        case "*", "+", "?": throw problem(.nothingToRepeat)
        case "{", "}": throw problem(.illegalRepetition)
        case "^", "$": throw problem(.anchor)
        case "]": throw problem(.unopenedClass)
        case _:
            offset += 1
            return .scalar(.single(scalar))
        }
    }

    private mutating func group() throws(PatternError) -> PatternTree {
        let start = offset
        guard depth < Self.maxDepth else { throw problem(.tooDeep(max: Self.maxDepth)) }
        depth += 1
        offset += 1
        let tree = try choice()
        guard skip(")") else { throw PatternError(reason: .unclosedGroup, offset: start) }
        depth -= 1
        return tree
    }

    private mutating func repeated(_ tree: PatternTree) throws(PatternError) -> PatternTree {
        let repetition: PatternTree
        switch current {
        case "*":
            offset += 1
            repetition = .repetition(tree, min: 0, max: nil)
        case "+":
            offset += 1
            repetition = .repetition(tree, min: 1, max: nil)
        case "?":
            offset += 1
            repetition = .repetition(tree, min: 0, max: 1)
        case "{": repetition = try counted(tree)
        case _: return tree
        }
        if let next = current, "*+?{".unicodeScalars.contains(next) {
            throw problem(.nothingToRepeat)
        }
        return repetition
    }

    /// `{2}`, `{2,}` or `{2,5}`.
    private mutating func counted(_ tree: PatternTree) throws(PatternError) -> PatternTree {
        let start = offset
        offset += 1
        let least = count()
        let hasMost = skip(",")
        let most = hasMost ? count() : least
        guard let least, skip("}"), least <= most ?? least, most ?? least <= Self.maxCount else {
            throw PatternError(reason: .illegalRepetition, offset: start)
        }
        return .repetition(tree, min: least, max: most)
    }

    private mutating func count() -> Int? {
        var digits = ""
        while let scalar = current, ("0"..."9").contains(scalar), digits.utf8.count < 5 {
            digits.unicodeScalars.append(scalar)
            offset += 1
        }
        return Int(digits)
    }

    // MARK: - Classes

    private mutating func scalarClass() throws(PatternError) -> ScalarClass {
        let start = offset
        offset += 1
        let isNegated = skip("^")
        var parts: [ScalarClass] = []
        while let scalar = current, scalar != "]" {
            parts.append(try classPart(scalar))
        }
        guard skip("]") else { throw PatternError(reason: .unclosedClass, offset: start) }
        guard !parts.isEmpty else { throw PatternError(reason: .emptyClass, offset: start) }
        return isNegated ? .not(.union(of: parts)) : .union(of: parts)
    }

    private mutating func classPart(_ scalar: Unicode.Scalar) throws(PatternError) -> ScalarClass {
        let start = offset
        if scalar == "[" { throw problem(.nestedClass) }
        let first = try classAtom(scalar)
        guard current == "-", offset + 1 < scalars.count, scalars[offset + 1] != "]",
            case .single(let lowest) = first
        else { return first }
        offset += 1
        guard let last = current, case .single(let highest) = try classAtom(last),
            lowest <= highest
        else { throw PatternError(reason: .reversedRange, offset: start) }
        return .range(lowest...highest)
    }

    private mutating func classAtom(_ scalar: Unicode.Scalar) throws(PatternError) -> ScalarClass {
        if scalar == "\\" { return try escape() }
        offset += 1
        return .single(scalar)
    }

    private mutating func escape() throws(PatternError) -> ScalarClass {
        let start = offset
        offset += 1
        guard let scalar = current else {
            throw PatternError(reason: .danglingBackslash, offset: start)
        }
        offset += 1
        if scalar == "p" || scalar == "P" { return try property(negated: scalar == "P", at: start) }
        if let known = ScalarClass.escapes[scalar] { return known }
        guard !isLetterOrDigit(scalar) else { throw unknownEscape(scalar, at: start) }
        return .single(scalar)
    }

    private mutating func property(
        negated: Bool, at start: Int
    ) throws(PatternError) -> ScalarClass {
        let rest = scalars[offset...].prefix(4)
        for (name, property) in ScalarClass.properties
        where rest.starts(with: "{\(name)}".unicodeScalars) {
            offset += name.unicodeScalars.count + 2
            return negated ? .not(property) : property
        }
        throw unknownEscape("p", at: start)
    }

    private func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        ("0"..."9").contains(scalar) || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    // MARK: - Steps

    private var current: Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard current == scalar else { return false }
        offset += 1
        return true
    }

    private func problem(_ reason: PatternError.Reason) -> PatternError {
        PatternError(reason: reason, offset: offset)
    }

    private func unknownEscape(_ scalar: Unicode.Scalar, at start: Int) -> PatternError {
        PatternError(reason: .unknownEscape(Character(scalar)), offset: start)
    }
}
