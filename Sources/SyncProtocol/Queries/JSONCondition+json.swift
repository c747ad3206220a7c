package import ChangeRules
package import JSON

extension JSONCondition {
    /// Reads a list of the path and the test: `[["size", "width"], {"gt": 5}]`. Nil for anything
    /// else.
    package init?(_ json: JSONValue) {
        guard case .array(let parts) = json, parts.count == 2, let steps = parts[0].strings,
            case .object(let members) = parts[1], members.count == 1,
            let (word, value) = members.first, let test = Test(word, value)
        else { return nil }
        self.init(path: steps, test)
    }

    /// The list that `init(_:)` reads.
    package var json: JSONValue {
        .array([.array(path.map { .string($0) }), .object([test.word: test.value])])
    }
}

extension JSONCondition.Test {
    fileprivate init?(_ word: String, _ value: JSONValue) {
        if let comparison = QueryFilter.Comparison(rawValue: word), comparison.isOfOrder {
            self = .compares(comparison, value)
        } else if word == "eq" {
            self = .equals(value)
        } else if word == "exists", value == .boolean(true) {
            self = .exists
        } else if word == "part", let part = TextPart(value) {
            self = .hasPart(part)
        } else if case .array(let values) = value {
            switch word {
            case "in": self = .isAmong(Set(values))
            case "all": self = .hasAll(Set(values))
            case "only": self = .hasOnly(Set(values))
            case _: return nil
            }
        } else {
            return nil
        }
    }

    fileprivate var word: String {
        switch self {
        case .equals: "eq"
        case .isAmong: "in"
        case .compares(let comparison, _): comparison.rawValue
        case .hasPart: "part"
        case .hasAll: "all"
        case .hasOnly: "only"
        case .exists: "exists"
        }
    }

    fileprivate var value: JSONValue {
        switch self {
        case .equals(let value), .compares(_, let value): value
        case .hasPart(let part): part.json
        case .isAmong(let values), .hasAll(let values), .hasOnly(let values): .array(Array(values))
        case .exists: .boolean(true)
        }
    }
}

extension TextPart {
    /// Reads `{"text": "a", "atStart": true}`. Nil for anything else.
    fileprivate init?(_ json: JSONValue) {
        guard case .object(var members) = json,
            case .string(let text)? = members.removeValue(forKey: "text")
        else { return nil }
        var flags: [String: Bool] = [:]
        for (name, value) in members {
            guard Self.flags.contains(name), case .boolean(let flag) = value else { return nil }
            flags[name] = flag
        }
        self.init(
            text, isAtStart: flags["atStart"] ?? false, isAtEnd: flags["atEnd"] ?? false,
            ignoresCase: flags["anyCase"] ?? false)
    }

    private static let flags: Set = ["atStart", "atEnd", "anyCase"]

    /// The object that `init(_:)` reads.
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = ["text": .string(text)]
        if isAtStart { members["atStart"] = .boolean(true) }
        if isAtEnd { members["atEnd"] = .boolean(true) }
        if ignoresCase { members["anyCase"] = .boolean(true) }
        return .object(members)
    }
}

extension QueryFilter.Comparison {
    fileprivate var isOfOrder: Bool {
        switch self {
        case .lt, .le, .gt, .ge: true
        case .eq, .ne: false
        }
    }
}

extension JSONValue {
    /// Nil if it is no list of strings.
    var strings: [String]? {
        guard case .array(let elements) = self else { return nil }
        let texts = elements.compactMap { element -> String? in
            if case .string(let text) = element { text } else { nil }
        }
        return texts.count == elements.count ? texts : nil
    }
}
