import EngineKit
import JSON
import SyncProtocol
import TestKit

/// Random values and queries for `Documents.things`, with many equal values.
struct RandomThings {
    var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    static let boxes = [101, 102, 103]
    static let numbers = Array(1...12)

    private static let texts = [
        "", "a", "A", "ab", "b", "a%b", "a_b", "\\", "\u{E9}", "e\u{301}", "\u{FF5E}", "🐝",
    ]
    private static let integers: [Int64] = [
        0, 1, -1, 2, 10, 9_007_199_254_740_992, 9_007_199_254_740_993, .min, .max,
    ]
    private static let decimals = [
        "0", "1", "-1", "0.1", "0.10000000000000000001", "-0.1", "2", "10", "9.99",
    ]
    private static let files = [900, 901].map {
        JSONValue.object(["guid": .string(guid($0)), "filename": "f.png"])
    }

    /// A value of the field's type; `code` gets a new one each time.
    mutating func value(of field: Documents.ThingField) -> JSONValue {
        if field.name == "code" { return .string("code\(random.number(in: 0..<1 << 40))") }
        return value(ofType: field.type, naming: field.options["model"])
    }

    private mutating func value(ofType type: String, naming model: String?) -> JSONValue {
        switch type {
        case "TEXT": .string(random.one(of: Self.texts) ?? "")
        case "INTEGER": .integer(random.one(of: Self.integers) ?? 0)
        case "DECIMAL": .string(random.one(of: Self.decimals) ?? "0")
        case "BOOLEAN": .boolean(random.flip())
        case "DATE": .integer(random.one(of: [-1, 0, 1, 86_400_000]) ?? 0)
        case "FILE": random.one(of: Self.files) ?? .null
        case _:
            .string(guid(random.one(of: model == "Box" ? Self.boxes : Self.numbers) ?? 1))
        }
    }
}

// MARK: - Questions

extension RandomThings {
    /// An operand of a filter on things: its name, and the type of its values.
    private mutating func operand() -> (name: String, type: String, model: String?) {
        let isBehindBox = random.number(in: 0..<4) == 0
        let isBehindThing = !isBehindBox && random.number(in: 0..<6) == 0
        let prefix = isBehindBox ? "box." : isBehindThing ? "follows." : ""
        if random.number(in: 0..<6) == 0 {
            let property = random.one(of: [
                ("$guid", "BELONGS_TO"), ("$owner", "TEXT"), ("$group", "TEXT"),
                ("$conflicted", "BOOLEAN"),
            ])
            return (prefix + (property?.0 ?? "$guid"), property?.1 ?? "BELONGS_TO", nil)
        }
        let fields = Documents.thingFields[isBehindBox ? 1 : 0].fields
        let field = random.one(of: fields) ?? fields[0]
        return (prefix + field.name, field.type, field.options["model"])
    }

    mutating func filter(codes: [JSONValue], depth: Int = 3) -> JSONValue {
        switch random.number(in: 0..<(depth > 0 ? 14 : 10)) {
        case 0: .object(["null": .string(operand().name)])
        case 1, 2: comparisonOfFields()
        case 3: pattern()
        case 4: between()
        case 5, 6: membership(codes: codes)
        case 7..<10: comparison(codes: codes)
        case 10: .object(["not": filter(codes: codes, depth: depth - 1)])
        case 11: .object(["or": .array(filters(codes: codes, depth: depth - 1))])
        case _: .object(["and": .array(filters(codes: codes, depth: depth - 1))])
        }
    }

    private mutating func filters(codes: [JSONValue], depth: Int) -> [JSONValue] {
        (0..<random.number(in: 0...3)).map { _ in filter(codes: codes, depth: depth) }
    }

    private mutating func value(
        of operand: (name: String, type: String, model: String?), codes: [JSONValue]
    ) -> JSONValue {
        if operand.name.hasSuffix("code"), let code = random.one(of: codes) { return code }
        if operand.name.hasSuffix("$owner") {
            return .string(random.one(of: ["a", "b", "c"]) ?? "a")
        }
        if operand.name.hasSuffix("$group") { return random.flip() ? "users" : "guests" }
        return value(ofType: operand.type, naming: operand.model)
    }

    private mutating func comparison(codes: [JSONValue]) -> JSONValue {
        let operand = operand()
        let word = random.flip() ? "eq" : random.one(of: operators(for: operand.type)) ?? "eq"
        return .object([word: .array([.string(operand.name), value(of: operand, codes: codes)])])
    }

    private mutating func comparisonOfFields() -> JSONValue {
        let (left, right) = (operand(), operand())
        let numbers = ["INTEGER", "DECIMAL"]
        guard left.type == right.type || numbers.contains(left.type) && numbers.contains(right.type)
        else { return comparisonOfFields() }
        let word = random.one(of: operators(for: left.type)) ?? "eq"
        return .object([
            word: .array([.string(left.name), .object(["field": .string(right.name)])])
        ])
    }

    private func operators(for type: String) -> [String] {
        let hasRanges = ["TEXT", "INTEGER", "DECIMAL", "DATE"].contains(type)
        return ["eq", "ne"] + (hasRanges ? ["lt", "le", "gt", "ge"] : [])
    }

    private mutating func between() -> JSONValue {
        let operand = operand()
        guard operators(for: operand.type).count > 2 else { return between() }
        return .object([
            "between": .array([
                .string(operand.name), value(of: operand, codes: []), value(of: operand, codes: []),
            ])
        ])
    }

    private mutating func membership(codes: [JSONValue]) -> JSONValue {
        let operand = operand()
        let values = (0..<random.number(in: 0...3)).map { _ in value(of: operand, codes: codes) }
        return .object(["in": .array([.string(operand.name), .array(values)])])
    }

    private mutating func pattern() -> JSONValue {
        let operand = operand()
        guard operand.type == "TEXT" else { return pattern() }
        let parts = ["a", "b", "%", "_", "\\%", "\\\\", "\u{E9}", "code"]
        let text = (0..<random.number(in: 0...3)).map { _ in random.one(of: parts) ?? "" }.joined()
        return random.flip()
            ? .object(["like": .array([.string(operand.name), .string(text)])])
            : .object(["prefix": .array([.string(operand.name), .string(text)])])
    }

    /// Up to three sort keys, as in a URL.
    mutating func sort() -> String {
        var names: [String] = []
        for _ in 0..<random.number(in: 0...3) {
            let operand = operand()
            if operand.type != "FILE", !names.contains(operand.name) { names.append(operand.name) }
        }
        return names.map { random.flip() ? "-" + $0 : $0 }.joined(separator: ",")
    }
}
