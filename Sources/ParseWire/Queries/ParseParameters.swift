import JSON

/// The parameters of a find, checked as far as they do not depend on a model.
struct ParseParameters: Hashable, Sendable {
    /// At most this many records are answered, whatever is asked for.
    static let mostRecords = 1000
    static let mostSkipped = 100_000
    /// Steps from one object to the next in an `include`.
    static let mostIncludeSteps = 3
    /// Different paths in an `include`, and keys that lead into objects.
    static let mostPaths = 100

    var filter: JSONValue = .object([:])
    var order: [String] = []
    /// The records to answer; 0 for none.
    var limit = 100
    var skip = 0
    var counts = false
    /// Nil for all.
    var keys: Set<String>?
    var excludedKeys: Set<String> = []
    var includes: [[String]] = []
    var innerKeys = InnerKeys()
    /// A relation of the class, whose objects are asked for in place of those of the class: a
    /// client that has only read a pointer to an object knows no more of its relations.
    var redirectKey: String?
}

extension ParseParameters {
    /// Throws 102 for parameters that there are not, and for values that they do not take.
    init(
        _ parameters: [String: JSONValue], defaultLimit: Int = 100
    ) throws(ParseFailure) {
        limit = defaultLimit
        var (shown, excluded) = ([[String]](), [[String]]())
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
            switch name {
            case "where": filter = try Self.filter(value)
            case "order": order = try Self.names(value, of: name)
            case "limit":
                limit = min(try Self.number(value, of: name), Self.mostRecords)
            case "skip":
                skip = try Self.number(value, of: name)
                guard skip <= Self.mostSkipped else {
                    throw .badQuery("'skip' is \(Self.mostSkipped) at most")
                }
            case "count": counts = value != .integer(0) && value != .boolean(false)
            case "keys": shown = try Self.paths(value, of: name, upTo: Self.mostIncludeSteps + 1)
            case "excludeKeys":
                excluded = try Self.paths(value, of: name, upTo: Self.mostIncludeSteps + 1)
            case "include":
                includes += try Self.paths(value, of: name, upTo: Self.mostIncludeSteps)
            case "includeAll":
                if value == .boolean(true) || value == .integer(1) { includes.append(["*"]) }
            case "redirectClassNameForKey":
                guard case .string(let key) = value else { throw .badQuery("\(name) is no text") }
                redirectKey = key
            case _ where Self.passedOver.contains(name): break
            case _: throw .badQuery("Invalid parameter for query: \(name)")
            }
        }
        keys = parameters["keys"] == nil ? nil : Set(shown.compactMap(\.first))
        excludedKeys = Set(excluded.filter { $0.count == 1 }.joined())
        innerKeys = InnerKeys(shown: shown, excluded: excluded)
    }

    /// They are about the database behind a Parse server.
    static let passedOver: Set<String> = [
        "explain", "hint", "comment", "readPreference", "includeReadPreference",
        "subqueryReadPreference",
    ]

    /// An object, or its text.
    private static func filter(_ value: JSONValue) throws(ParseFailure) -> JSONValue {
        if case .object = value { return value }
        if case .string(let text) = value, let json = try? parseJSON(Array(text.utf8)),
            case .object = json
        {
            return json
        }
        throw .badJSON("'where' is no object")
    }

    private static func number(
        _ value: JSONValue, of name: String
    ) throws(ParseFailure) -> Int {
        switch value {
        case .integer(let number) where number >= 0: return Int(clamping: number)
        case .string(let text):
            if let number = Int(text), number >= 0 { return number }
        case .null, .boolean, .integer, .decimal, .array, .object, .unrepresentable: break
        }
        throw .badQuery("'\(name)' is no whole number from 0 on")
    }

    /// `a,b`, or a list of texts.
    private static func names(
        _ value: JSONValue, of name: String
    ) throws(ParseFailure) -> [String] {
        switch value {
        case .string(let text):
            return text.split(separator: ",").map { $0.trimmedSpaces }.filter { !$0.isEmpty }
        case .array(let elements):
            var names: [String] = []
            for element in elements {
                guard case .string(let text) = element else {
                    throw .badQuery("'\(name)' is a list of texts")
                }
                names.append(text)
            }
            return names
        case .null, .boolean, .integer, .decimal, .object, .unrepresentable:
            throw .badQuery("'\(name)' is a list of texts")
        }
    }

    /// Keys that may lead into objects, as their steps, each once.
    private static func paths(
        _ value: JSONValue, of name: String, upTo most: Int
    ) throws(ParseFailure) -> [[String]] {
        let names = Set(try names(value, of: name))
        let all = names.sorted().map { $0.split(separator: ".").map(String.init) }
        guard all.count(where: { name == "include" || $0.count > 1 }) <= mostPaths else {
            throw .badQuery("'\(name)' has \(mostPaths) keys that lead into objects at most")
        }
        guard all.allSatisfy({ $0.count <= most }) else {
            throw .badQuery("a key in '\(name)' has \(most) steps at most")
        }
        return all
    }
}

extension [[String]] {
    /// Returns the rest of each path of an include that begins with a key; `*` stands for each key.
    func steps(after key: String) -> [[String]] {
        filter { $0.first == key || $0.first == "*" }.map { [String]($0.dropFirst()) }
    }
}

extension Substring {
    fileprivate var trimmedSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
