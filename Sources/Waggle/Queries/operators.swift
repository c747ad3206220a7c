import JSON
import SyncProtocol

// Comparisons of a field with a value, and of two fields. A field that may be null or hidden
// compares with plain values: `\.score >= 3` is false for records without a score. Texts compare by
// their UTF-8 bytes, so that case counts.

/// A type of fields that queries can compare.
public protocol Comparing<Plain>: Storable {
    /// The type of the values, without optional or ``Visible``.
    associatedtype Plain: StorableValue
}

extension String: Comparing { public typealias Plain = String }
extension Int64: Comparing { public typealias Plain = Int64 }
extension Bool: Comparing { public typealias Plain = Bool }
extension ExactDecimal: Comparing { public typealias Plain = ExactDecimal }
extension Instant: Comparing { public typealias Plain = Instant }
extension FileReference: Comparing { public typealias Plain = FileReference }
extension Reference: Comparing { public typealias Plain = Reference<Target> }
extension Optional: Comparing where Wrapped: StorableValue { public typealias Plain = Wrapped }
extension Visible: Comparing { public typealias Plain = Value }

/// The same value; `nil` stands for null and for a hidden value.
public func == <Model: Record, Value: Comparing>(
    path: KeyPath<Model, Value>, value: Value.Plain?
) -> Condition<Model> {
    guard let value else { return Condition(predicate: .isNull(Model.property(at: path))) }
    return comparison(path, .equal, value)
}

/// Another value; `!= nil` means any value that the user sees.
public func != <Model: Record, Value: Comparing>(
    path: KeyPath<Model, Value>, value: Value.Plain?
) -> Condition<Model> {
    guard let value else { return Condition(predicate: .not(.isNull(Model.property(at: path)))) }
    return comparison(path, .notEqual, value)
}

/// Less than the value. Texts compare by their UTF-8 bytes, so `Z` is less than `a`.
public func < <Model: Record, Value: Comparing>(
    path: KeyPath<Model, Value>, value: Value.Plain
) -> Condition<Model> where Value.Plain: Comparable {
    comparison(path, .less, value)
}

/// Less than the value, or the same. Texts compare by their UTF-8 bytes.
public func <= <Model: Record, Value: Comparing>(
    path: KeyPath<Model, Value>, value: Value.Plain
) -> Condition<Model> where Value.Plain: Comparable {
    comparison(path, .lessOrEqual, value)
}

/// Greater than the value. Texts compare by their UTF-8 bytes.
public func > <Model: Record, Value: Comparing>(
    path: KeyPath<Model, Value>, value: Value.Plain
) -> Condition<Model> where Value.Plain: Comparable {
    comparison(path, .greater, value)
}

/// Greater than the value, or the same. Texts compare by their UTF-8 bytes.
public func >= <Model: Record, Value: Comparing>(
    path: KeyPath<Model, Value>, value: Value.Plain
) -> Condition<Model> where Value.Plain: Comparable {
    comparison(path, .greaterOrEqual, value)
}

private func comparison<Model: Record>(
    _ path: PartialKeyPath<Model>, _ comparison: Comparison, _ value: some StorableValue
) -> Condition<Model> {
    let operand = ConditionOperand.value(value.stored.json ?? .null)
    return Condition(predicate: .comparison(Model.property(at: path), comparison, operand))
}

// MARK: - Two fields

/// Two fields of a record have the same value.
public func == <Model: Record, Left: Comparing, Right: Comparing>(
    left: KeyPath<Model, Left>, right: KeyPath<Model, Right>
) -> Condition<Model> where Left.Plain == Right.Plain { comparison(left, .equal, right) }

/// Two fields of a record have different values.
public func != <Model: Record, Left: Comparing, Right: Comparing>(
    left: KeyPath<Model, Left>, right: KeyPath<Model, Right>
) -> Condition<Model> where Left.Plain == Right.Plain { comparison(left, .notEqual, right) }

/// One field of a record is less than another. Texts compare by their UTF-8 bytes.
public func < <Model: Record, Left: Comparing, Right: Comparing>(
    left: KeyPath<Model, Left>, right: KeyPath<Model, Right>
) -> Condition<Model> where Left.Plain == Right.Plain, Left.Plain: Comparable {
    comparison(left, .less, right)
}

/// One field of a record is at most another. Texts compare by their UTF-8 bytes.
public func <= <Model: Record, Left: Comparing, Right: Comparing>(
    left: KeyPath<Model, Left>, right: KeyPath<Model, Right>
) -> Condition<Model> where Left.Plain == Right.Plain, Left.Plain: Comparable {
    comparison(left, .lessOrEqual, right)
}

/// One field of a record is greater than another. Texts compare by their UTF-8 bytes.
public func > <Model: Record, Left: Comparing, Right: Comparing>(
    left: KeyPath<Model, Left>, right: KeyPath<Model, Right>
) -> Condition<Model> where Left.Plain == Right.Plain, Left.Plain: Comparable {
    comparison(left, .greater, right)
}

/// One field of a record is at least another. Texts compare by their UTF-8 bytes.
public func >= <Model: Record, Left: Comparing, Right: Comparing>(
    left: KeyPath<Model, Left>, right: KeyPath<Model, Right>
) -> Condition<Model> where Left.Plain == Right.Plain, Left.Plain: Comparable {
    comparison(left, .greaterOrEqual, right)
}

private func comparison<Model: Record>(
    _ left: PartialKeyPath<Model>, _ comparison: Comparison, _ right: PartialKeyPath<Model>
) -> Condition<Model> {
    Condition(
        predicate: .comparison(
            Model.property(at: left), comparison, .property(Model.property(at: right))))
}

// MARK: - Others

/// A test of one field, such as `where(\.title, .hasPrefix("S"))`.
public struct FieldTest<Value: Comparing>: Sendable {
    let predicate: @Sendable (RecordProperty?) -> Predicate
}

extension FieldTest {
    /// One of these values.
    public static func isIn(_ values: some Sequence<Value.Plain>) -> FieldTest {
        let list = values.compactMap(\.stored.json)
        return FieldTest { .inList($0, list) }
    }

    /// Null or hidden.
    public static var isNull: FieldTest { FieldTest { .isNull($0) } }

    /// Neither null nor hidden.
    public static var isNotNull: FieldTest { FieldTest { .not(.isNull($0)) } }
}

extension FieldTest where Value.Plain: Comparable {
    /// Both ends included.
    public static func isBetween(_ range: ClosedRange<Value.Plain>) -> FieldTest {
        let ends = (range.lowerBound.stored.json ?? .null, range.upperBound.stored.json ?? .null)
        return FieldTest { property in
            .all([
                .comparison(property, .greaterOrEqual, .value(ends.0)),
                .comparison(property, .lessOrEqual, .value(ends.1)),
            ])
        }
    }
}

extension FieldTest where Value.Plain == String {
    /// The text begins with this one. Case counts.
    public static func hasPrefix(_ text: String) -> FieldTest { matches(.prefix, text) }
    /// The text ends with this one. Case counts.
    public static func hasSuffix(_ text: String) -> FieldTest { matches(.suffix, text) }
    /// The text contains this one. Case counts.
    public static func contains(_ text: String) -> FieldTest { matches(.contains, text) }

    /// The text matches a pattern: `%` stands for any text, `_` for one character, `\` takes the
    /// next one as it is. Case counts.
    public static func isLike(_ pattern: String) -> FieldTest { matches(.like, pattern) }

    private static func matches(_ match: TextMatch, _ text: String) -> FieldTest {
        FieldTest { .text($0, match, text) }
    }
}

extension Condition {
    /// A condition that one field passes a test.
    public init<Value: Comparing>(_ path: KeyPath<Model, Value>, _ test: FieldTest<Value>) {
        predicate = test.predicate(Model.property(at: path))
    }
}
