import ChangeRules
import DefinitionModel
import JSON

/// A test of what stands inside the value of a field with the format `json`, such as
/// `where(\.size, .inside(["width"], .isGreater(than: 30)))`.
///
/// The test holds if it does for one of the values in question. Where nothing stands, every test is
/// false. Numbers are compared with numbers, and texts with texts by their bytes. A number that no
/// field can hold makes a test false.
public struct JSONTest: Hashable, Sendable {
    let test: JSONCondition.Test

    /// The value, or an array with it.
    public static func equals(_ item: JSONItem) -> JSONTest { JSONTest(test: .equals(item.json)) }

    /// One of these values, or an array with one of them.
    public static func isIn(_ items: [JSONItem]) -> JSONTest {
        JSONTest(test: .isAmong(Set(items.map(\.json))))
    }

    /// Less than the value, or an array with such an element.
    public static func isLess(than item: JSONItem) -> JSONTest { compares(.lt, item) }

    /// Less than the value or the same, or an array with such an element.
    public static func isAtMost(_ item: JSONItem) -> JSONTest { compares(.le, item) }

    /// Greater than the value, or an array with such an element.
    public static func isGreater(than item: JSONItem) -> JSONTest { compares(.gt, item) }

    /// Greater than the value or the same, or an array with such an element.
    public static func isAtLeast(_ item: JSONItem) -> JSONTest { compares(.ge, item) }

    /// A text that begins with this one, or an array with such a text.
    public static func hasPrefix(_ text: String) -> JSONTest {
        JSONTest(test: .hasPart(TextPart(text, isAtStart: true)))
    }

    /// A text that ends with this one, or an array with such a text.
    public static func hasSuffix(_ text: String) -> JSONTest {
        JSONTest(test: .hasPart(TextPart(text, isAtEnd: true)))
    }

    /// A text with this one in it, or an array with such a text.
    public static func contains(_ text: String) -> JSONTest {
        JSONTest(test: .hasPart(TextPart(text)))
    }

    /// An array with all of these values.
    public static func hasAll(_ items: [JSONItem]) -> JSONTest {
        JSONTest(test: .hasAll(Set(items.map(\.json))))
    }

    /// An array without any other value than these.
    public static func hasOnly(_ items: [JSONItem]) -> JSONTest {
        JSONTest(test: .hasOnly(Set(items.map(\.json))))
    }

    /// Any value but null.
    public static let exists = JSONTest(test: .exists)

    private static func compares(
        _ comparison: QueryFilter.Comparison, _ item: JSONItem
    ) -> JSONTest {
        JSONTest(test: .compares(comparison, item.json))
    }
}

/// A JSON value to compare with: a literal, or the value of another type.
public struct JSONItem: Hashable, Sendable {
    let json: JSONValue

    /// A text.
    public init(_ text: String) { json = .string(text) }

    /// A whole number.
    public init(_ number: Int64) { json = .integer(number) }

    /// A number.
    public init(_ number: ExactDecimal) { json = JSONValue(number: number.description) }

    /// True or false.
    public init(_ flag: Bool) { json = .boolean(flag) }

    /// An object or array.
    public init(_ document: JSONDocument) {
        json = JSONValue(formatted: document.text) ?? .unrepresentable
    }
}

extension JSONItem: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A text.
    public init(stringLiteral text: String) { self.init(text) }

    /// A whole number.
    public init(integerLiteral number: Int64) { self.init(number) }

    /// The number with the fewest digits that is the nearest to this one.
    public init(floatLiteral number: Double) { json = JSONValue(number: "\(number)") }

    /// True or false.
    public init(booleanLiteral flag: Bool) { self.init(flag) }

    /// Null.
    public init(nilLiteral: ()) { json = .null }

    /// An array.
    public init(arrayLiteral items: JSONItem...) { json = .array(items.map(\.json)) }

    /// An object. The last one of several members with the same name counts.
    public init(dictionaryLiteral members: (String, JSONItem)...) {
        json = .object(Dictionary(members.map { ($0, $1.json) }) { _, last in last })
    }
}

extension JSONValue {
    /// The number in the one form that `parseJSON` gives it.
    fileprivate init(number: String) {
        self = (try? parseJSON(Array(number.utf8))) ?? .unrepresentable
    }
}
