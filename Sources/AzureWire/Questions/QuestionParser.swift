import ChangeRules
import DefinitionModel

/// Reads an expression of the question language.
///
/// From weak to strong: `or`, `and`, comparisons, `add` and `sub`, `mul`, `div` and `mod`, `not`
/// and `-`, values, fields, functions and parentheses.
struct QuestionParser {
    private var lexer: QuestionLexer
    private var token: QuestionToken
    private var depth = 0
    /// The operators `add` to `mod` that were read: each one nests those before it.
    private var operators = 0

    /// Clients put parentheses around each of a list of joined conditions and those before it, so
    /// this is more than the conditions of a filter, and than the values that one list may have.
    private static let maxDepth = 256
    private static let maxOperators = 200

    /// Reads a whole text.
    static func expression(of text: String) throws(QuestionFault) -> QuestionExpression {
        var parser = try QuestionParser(text)
        let expression = try parser.disjunction()
        guard parser.token == .end else {
            throw QuestionFault("the filter has more text after its end")
        }
        return expression
    }

    private init(_ text: String) throws(QuestionFault) {
        lexer = QuestionLexer(text)
        token = try lexer.next()
    }

    private mutating func advance() throws(QuestionFault) { token = try lexer.next() }

    private mutating func take(_ word: String) throws(QuestionFault) -> Bool {
        guard token == .word(word) else { return false }
        try advance()
        return true
    }

    private mutating func expect(_ wanted: QuestionToken, _ sign: String) throws(QuestionFault) {
        guard token == wanted else { throw QuestionFault("the filter lacks a '\(sign)'") }
        try advance()
    }

    private mutating func disjunction() throws(QuestionFault) -> QuestionExpression {
        var parts = [try conjunction()]
        while try take("or") { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func conjunction() throws(QuestionFault) -> QuestionExpression {
        var parts = [try comparison()]
        while try take("and") { parts.append(try comparison()) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func comparison() throws(QuestionFault) -> QuestionExpression {
        let left = try sum()
        guard case .word(let word) = token else { return left }
        if word == "in" {
            try advance()
            return .among(left, try arguments())
        }
        guard let comparison = QueryFilter.Comparison(rawValue: word) else { return left }
        try advance()
        return .compare(comparison, left, try sum())
    }

    private mutating func sum() throws(QuestionFault) -> QuestionExpression {
        var left = try product()
        while case .word(let word) = token, let function = Self.sums[word] {
            try advanceOverOperator()
            left = .call(function, [left, try product()])
        }
        return left
    }

    private mutating func product() throws(QuestionFault) -> QuestionExpression {
        var left = try unary()
        while case .word(let word) = token, let function = Self.products[word] {
            try advanceOverOperator()
            left = .call(function, [left, try unary()])
        }
        return left
    }

    private mutating func advanceOverOperator() throws(QuestionFault) {
        operators += 1
        guard operators <= Self.maxOperators else {
            throw QuestionFault("the filter has more than \(Self.maxOperators) operators")
        }
        try advance()
    }

    /// Every nesting passes through it once: parentheses, arguments, `not` and `-`.
    private mutating func unary() throws(QuestionFault) -> QuestionExpression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maxDepth else {
            throw QuestionFault("the filter has more than \(Self.maxDepth) nested parts")
        }
        if try take("not") { return .not(try unary()) }
        guard token == .minus else { return try primary() }
        try advance()
        guard case .number(let text) = token else { return .call(.negate, [try unary()]) }
        try advance()
        return try number("-" + text)
    }

    private func number(_ text: String) throws(QuestionFault) -> QuestionExpression {
        guard let value = FieldValue(number: text) else {
            throw QuestionFault("'\(text)' is not a number that can be compared")
        }
        return .constant(value)
    }

    private mutating func primary() throws(QuestionFault) -> QuestionExpression {
        switch token {
        case .open:
            try advance()
            let inner = try disjunction()
            try expect(.close, ")")
            return inner
        case .number(let text):
            try advance()
            return try number(text)
        case .value(let value):
            try advance()
            return .constant(value)
        case .word(let word):
            try advance()
            if token == .open { return try call(word) }
            switch word {
            case "true": return .constant(.boolean(true))
            case "false": return .constant(.boolean(false))
            case "null": return .constant(nil)
            case _: return .field(word)
            }
        case .close, .comma, .minus, .end:
            throw QuestionFault("the filter lacks a value or a field")
        }
    }

    private mutating func call(_ name: String) throws(QuestionFault) -> QuestionExpression {
        // The type of a cast is known from the value.
        let arguments = try arguments()
        if name == "cast", arguments.count == 2 { return arguments[0] }
        if name == "substringof", arguments.count == 2 {
            return .call(.contains, [arguments[1], arguments[0]])
        }
        guard let function = ComputedFunction.named(name) else {
            throw QuestionFault("the filter has an unknown function '\(name)'")
        }
        guard function.argumentCounts.contains(arguments.count) else {
            throw QuestionFault("the function '\(name)' takes another number of values")
        }
        return .call(function, arguments)
    }

    private mutating func arguments() throws(QuestionFault) -> [QuestionExpression] {
        try expect(.open, "(")
        var arguments: [QuestionExpression] = []
        while token != .close {
            if !arguments.isEmpty { try expect(.comma, ",") }
            arguments.append(try disjunction())
        }
        try advance()
        return arguments
    }

    private static let sums: [String: ComputedFunction] = ["add": .add, "sub": .subtract]
    private static let products: [String: ComputedFunction] = [
        "mul": .multiply, "div": .divide, "mod": .modulo,
    ]
}

extension ComputedFunction {
    fileprivate static func named(_ name: String) -> ComputedFunction? {
        names[name]
    }

    private static let names: [String: ComputedFunction] = [
        "startswith": .startsWith, "endswith": .endsWith, "contains": .contains,
        "length": .length, "tolower": .lowercase, "toupper": .uppercase, "trim": .trim,
        "indexof": .index, "replace": .replace, "substring": .substring, "concat": .concatenate,
        "day": .day, "month": .month, "year": .year, "hour": .hour, "minute": .minute,
        "second": .second, "floor": .floor, "ceiling": .ceiling, "round": .round,
    ]
}
