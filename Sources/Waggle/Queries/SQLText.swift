import DefinitionModel
import GRDB
import JSON
import SyncProtocol

/// SQL with its arguments.
struct SQLText {
    var text: String
    var arguments: [DatabaseValue] = []

    static func joined(_ pieces: [SQLText], by separator: String) -> SQLText {
        SQLText(
            text: pieces.map(\.text).joined(separator: separator),
            arguments: pieces.flatMap(\.arguments))
    }
}

/// Names come from a checked definition: letters, digits and underscores.
func jsonValue(of field: String) -> String { "json_extract(shown, '$.\(field)')" }

/// A query as SQL. A condition is true or false, never unknown: a null or missing field is neither
/// equal to a value, nor less, nor greater.
struct SearchText {
    let model: Model
    var predicates: [Predicate]
    let orders: [SortKey]
    let offset: Int
    let limit: Int?
    private let rules: LocalRules

    /// Nil if the definition has no such model.
    init?<Found: Record>(_ query: Query<Found>, by rules: LocalRules) {
        self.init(NamingRecords(query), by: rules)
    }

    private init?(_ records: NamingRecords, by rules: LocalRules) {
        guard let model = rules.model(named: records.model) else { return nil }
        self.model = model
        self.rules = rules
        predicates = records.predicates
        orders = records.orders
        offset = records.offset
        limit = records.limit
    }

    func records() throws -> SQLText { try selection("*") }

    private func selection(_ columns: String) throws -> SQLText {
        let keys = orders.map(text) + [SQLText(text: "guid")]
        return SQLText(text: "SELECT \(columns) FROM records WHERE ") + (try condition())
            + SQLText(text: " ORDER BY ") + .joined(keys, by: ", ") + page
    }

    /// Whether one of the records names this one. Without a limit, their order says nothing.
    private func isNamed(by property: RecordProperty?, _ naming: NamingRecords) throws -> SQLText {
        guard let naming = SearchText(naming, by: rules) else { return SQLText(text: "0") }
        return SQLText(text: "guid IN (")
            + (try naming.selection(naming.expression(property))) + SQLText(text: ")")
    }

    private func text(of key: SortKey) -> SQLText {
        let direction = key.isDescending ? "DESC" : "ASC"
        switch key.operand {
        case .property(let property):
            return SQLText(text: "\(expression(property)) \(direction)")
        case .distance(let distance):
            // Distances are whole millimeters, which binary numbers tell apart.
            return SQLText(text: "CAST(") + meters(distance)
                + SQLText(text: " AS REAL) \(direction) NULLS LAST")
        }
    }

    func count() throws -> SQLText {
        SQLText(text: "SELECT count(*) FROM (SELECT 1 FROM records WHERE ") + (try condition())
            + page + SQLText(text: ")")
    }

    private var page: SQLText {
        guard offset > 0 || limit != nil else { return SQLText(text: "") }
        return SQLText(
            text: " LIMIT ? OFFSET ?",
            arguments: [(limit ?? -1).databaseValue, offset.databaseValue])
    }

    /// The name of the model is a literal, so that SQLite can use the partial indexes of its
    /// fields.
    private func condition() throws -> SQLText {
        let own = SQLText(text: "model = '\(model.name)' AND shown IS NOT NULL")
        return .joined([own] + (try predicates.map(text)), by: " AND ")
    }

    private func text(of predicate: Predicate) throws -> SQLText {
        switch predicate {
        case .comparison(let property, let comparison, let operand):
            let (value, arguments) = expression(operand)
            let text = "\(expression(property)) \(comparison.rawValue) \(value)"
            return SQLText(text: text, arguments: arguments)
        case .inList(let property, let values):
            // One JSON argument: SQLite limits the number of arguments.
            let list = JSONValue.array(values.map(\.searched))
            return SQLText(
                text: "\(expression(property)) IN (SELECT value FROM json_each(?))",
                arguments: [try StoredJSON.encode(list).databaseValue])
        case .text(let property, let match, let text):
            return SQLText(
                text: "\(expression(property)) GLOB ?",
                arguments: [match.glob(text).databaseValue])
        case .isNull(nil): return SQLText(text: "0")
        case .isNull(let property): return SQLText(text: "\(expression(property)) IS NULL")
        case .inside(let property, let condition): return inside(property, condition)
        case .within(let property, let area): return within(property, area)
        case .distance(let distance, let comparison, let operand):
            return compares(distance, comparison, operand)
        case .isNamed(let property, let naming): return try isNamed(by: property, naming)
        case .all(let parts): return try group(parts, by: " AND ", empty: "1")
        case .any(let parts): return try group(parts, by: " OR ", empty: "0")
        // An unknown condition counts as false before it is negated.
        case .not(let part):
            return SQLText(text: "NOT coalesce(") + (try text(of: part)) + SQLText(text: ", 0)")
        }
    }

    private func group(
        _ parts: [Predicate], by separator: String, empty: String
    ) throws -> SQLText {
        guard !parts.isEmpty else { return SQLText(text: empty) }
        let texts = try parts.map(text)
        return SQLText(text: "(") + .joined(texts, by: separator) + SQLText(text: ")")
    }

    private func expression(
        _ operand: ConditionOperand
    ) -> (text: String, arguments: [DatabaseValue]) {
        switch operand {
        case .value(let value): ("?", [value.databaseValue])
        case .property(let property): (expression(property), [])
        }
    }

    func expression(_ property: RecordProperty?) -> String {
        switch property {
        case nil: "NULL"
        case .guid: "guid"
        case .owner: "owner"
        case .group: "group_name"
        case .isConflicted: "is_conflicted"
        case .field(let name): expression(ofField: name)
        }
    }

    private func expression(ofField name: String) -> String {
        switch model.fields.first(where: { $0.name == name })?.type {
        case nil: "NULL"
        case .text, .integer, .boolean, .date, .belongsTo: jsonValue(of: name)
        case .decimal: "\(jsonValue(of: name)) COLLATE exactDecimal"
        case .file: jsonValue(of: "\(name).guid")
        }
    }
}

extension SQLText {
    static func + (left: SQLText, right: SQLText) -> SQLText {
        SQLText(text: left.text + right.text, arguments: left.arguments + right.arguments)
    }

    static func += (left: inout SQLText, right: SQLText) { left = left + right }
}

extension TextMatch {
    /// A case-sensitive `GLOB`; SQLite's `LIKE` ignores case.
    fileprivate func glob(_ text: String) -> String {
        switch self {
        case .prefix: literal(text) + "*"
        case .suffix: "*" + literal(text)
        case .contains: "*" + literal(text) + "*"
        case .like: globOfLike(text)
        }
    }
}

private func literal(_ text: String) -> String {
    text.unicodeScalars.map(literal).joined()
}

private func literal(_ scalar: Unicode.Scalar) -> String {
    "*?[".unicodeScalars.contains(scalar) ? "[\(scalar)]" : String(scalar)
}

private func globOfLike(_ pattern: String) -> String {
    var glob = ""
    var rest = pattern.unicodeScalars[...]
    while let scalar = rest.popFirst() {
        switch scalar {
        case "%": glob += "*"
        case "_": glob += "?"
        case "\\": glob += literal(rest.popFirst() ?? "\\")
        case _: glob += literal(scalar)
        }
    }
    return glob
}

extension JSONValue {
    /// The value as `json_extract` returns it; the guid for a file.
    var databaseValue: DatabaseValue {
        switch self {
        case .null, .array, .unrepresentable: .null
        case .boolean(let flag): (flag ? 1 : 0).databaseValue
        case .integer(let number): number.databaseValue
        case .decimal(let text), .string(let text): text.databaseValue
        case .object(let members): members["guid"]?.databaseValue ?? .null
        }
    }
}

extension JSONValue {
    /// The value as `json_extract` returns it; the guid for a file.
    fileprivate var searched: JSONValue {
        switch self {
        case .object(let members): members["guid"] ?? .null
        case .decimal(let text): .string(text)
        case .null, .boolean, .integer, .string, .array, .unrepresentable: self
        }
    }
}
