import ChangeRules
import DefinitionModel
import GRDB
import JSON
import SyncProtocol

// Conditions on texts with a format. Functions of `DatabaseFunction+formats.swift` decide them; the
// bounds before them are for the index of the places.

extension SearchText {
    func inside(_ property: RecordProperty?, _ condition: JSONCondition) -> SQLText {
        // No field holds a number that is not exact.
        guard condition.json.isExact else { return SQLText(text: "0") }
        return SQLText(
            text: "isInside(\(expression(property)), ?)",
            arguments: [condition.json.text.databaseValue])
    }

    func within(_ property: RecordProperty?, _ area: GeoArea) -> SQLText {
        SQLText(text: "(") + bounds(of: property, GeoBounds(area))
            + SQLText(
                text: "isWithin(\(expression(property)), ?))",
                arguments: [area.json.text.databaseValue])
    }

    func compares(
        _ distance: PlaceDistance, _ comparison: Comparison, _ operand: ConditionOperand
    ) -> SQLText {
        guard let start = distance.start else { return SQLText(text: "0") }
        let bounds = comparison.maxMeters(operand).map {
            self.bounds(of: distance.property, GeoBounds(meters: $0, around: start))
        }
        return SQLText(text: "(") + (bounds ?? SQLText(text: "")) + meters(distance)
            + SQLText(text: " COLLATE exactDecimal \(comparison.rawValue) ")
            + number(operand) + SQLText(text: ")")
    }

    /// The distance in meters, as the text of a decimal number; null without one.
    func meters(_ distance: PlaceDistance) -> SQLText {
        guard let start = distance.start else { return SQLText(text: "NULL") }
        return SQLText(
            text: "metersFrom(?, \(expression(distance.property)))",
            arguments: [start.description.databaseValue])
    }

    private func number(_ operand: ConditionOperand) -> SQLText {
        switch operand {
        case .value(let value):
            SQLText(text: "CAST(? AS TEXT)", arguments: [value.databaseValue])
        case .property(let property): SQLText(text: "CAST(\(expression(property)) AS TEXT)")
        }
    }

    /// Each followed by `AND`.
    private func bounds(of property: RecordProperty?, _ bounds: GeoBounds) -> SQLText {
        guard case .field(let name)? = property else { return SQLText(text: "") }
        let range = PlaceColumns(field: name)
        let east = bounds.longitudes.map { longitudes in
            SQLText(
                text: "\(range.longitude) BETWEEN ? AND ?",
                arguments: [longitudes.low.databaseValue, longitudes.high.databaseValue])
        }
        return SQLText(
            text: "\(range.latitude) BETWEEN ? AND ? AND (",
            arguments: [
                bounds.latitudes.low.databaseValue, bounds.latitudes.high.databaseValue,
            ]) + .joined(east, by: " OR ") + SQLText(text: ") AND ")
    }
}

/// The degrees of a point in a field, as SQLite reads them without a function of ours. For a text
/// that is no point they are any numbers.
struct PlaceColumns {
    let field: String

    /// Text is cast up to its first character that does not belong to a number.
    var latitude: String { "CAST(\(jsonValue(of: field)) AS REAL)" }

    var longitude: String {
        let value = jsonValue(of: field)
        return "CAST(substr(\(value), instr(\(value), ',') + 1) AS REAL)"
    }
}

extension Comparison {
    /// A distance that no place exceeds of which the comparison holds; nil if there is none.
    fileprivate func maxMeters(_ operand: ConditionOperand) -> Double? {
        guard case .value(let value) = operand, let meters = value.number?.binary else {
            return nil
        }
        switch self {
        case .equal, .less, .lessOrEqual: return meters
        case .notEqual, .greater, .greaterOrEqual: return nil
        }
    }
}

// MARK: - Nearest first

extension SearchText {
    /// The same search among the places near the point of its order, in ever wider circles. A
    /// circle with as many records as the search may find has the ones that it finds. Empty if the
    /// search does not begin with the nearest, or has no limit, or has bounds of its own.
    var circles: [SearchText] {
        guard let first = orders.first, !first.isDescending, limit != nil,
            case .distance(let distance) = first.operand, !predicates.contains(where: \.isBounded)
        else { return [] }
        return Self.circleMeters.map { meters in
            var search = self
            search.predicates.append(
                .distance(distance, .lessOrEqual, .value(.integer(meters))))
            return search
        }
    }

    /// Each has 64 times the area of the one before.
    private static let circleMeters: [Int64] = [1000, 8000, 64_000, 512_000]
}

extension Predicate {
    /// Whether it holds for places in some area only.
    fileprivate var isBounded: Bool {
        switch self {
        case .within: true
        case .distance(_, let comparison, let operand): comparison.maxMeters(operand) != nil
        case .all(let parts): parts.contains(where: \.isBounded)
        case .comparison, .inList, .text, .isNull, .inside, .isNamed, .any, .not: false
        }
    }
}
