import ChangeRules
import DefinitionModel
import GRDB
import JSON
import SyncProtocol

extension DatabaseFunction {
    /// The functions of SQL that look into texts with a format. Each connection has its own.
    ///
    /// - `isInside(text, condition)`: whether a condition on JSON holds for the text.
    /// - `isWithin(text, area)`: whether the text is a point of the area.
    /// - `metersFrom(start, text)`: the distance of the two points, the text of a decimal number.
    ///
    /// For a text that has not the format they are false, or null.
    static func ofFormats() -> [DatabaseFunction] {
        let conditions = LastReading { try? JSONCondition(parseJSON(Array($0.utf8))) }
        let areas = LastReading { try? GeoArea(parseJSON(Array($0.utf8))) }
        let starts = LastReading { GeoPosition($0) }
        return [
            DatabaseFunction("isInside", argumentCount: 2, pure: true) { values in
                guard let value = values[0].text.flatMap({ JSONValue(formatted: $0) }),
                    let condition = values[1].text.flatMap(conditions.value)
                else { return false }
                return condition.holds(for: value)
            },
            DatabaseFunction("isWithin", argumentCount: 2, pure: true) { values in
                guard let place = values[0].text.flatMap({ GeoPosition($0) }),
                    let area = values[1].text.flatMap(areas.value)
                else { return false }
                return area.contains(place)
            },
            DatabaseFunction("metersFrom", argumentCount: 2, pure: true) { values in
                guard let start = values[0].text.flatMap(starts.value),
                    let place = values[1].text.flatMap({ GeoPosition($0) })
                else { return nil }
                return start.meters(to: place).description
            },
        ]
    }
}

/// The last text that was read, with its value: a query passes the same text for each record.
private struct LastReading<Value: Sendable>: Sendable {
    private let last = LockedValue<(text: String, value: Value?)?>(nil)
    private let read: @Sendable (String) -> Value?

    init(_ read: @escaping @Sendable (String) -> Value?) { self.read = read }

    func value(_ text: String) -> Value? {
        last.withLock { last in
            if let last, last.text.hasSameBytes(as: text) { return last.value }
            let value = read(text)
            last = (text, value)
            return value
        }
    }
}

extension DatabaseValue {
    /// Nil if it is no text.
    fileprivate var text: String? {
        switch storage {
        case .string(let text): text
        case .null, .int64, .double, .blob: nil
        }
    }
}
