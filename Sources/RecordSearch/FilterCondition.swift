import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON

/// A filter whose fields exist and whose values have the types of their fields.
///
/// The logic is two-valued. A comparison with null is false, so its negation is true. A value that
/// the asker may not read counts as null.
indirect enum FilterCondition: Hashable, Sendable {
    case all([FilterCondition])
    case any([FilterCondition])
    case not(FilterCondition)
    case isNull(Operand)
    case compares(Operand, Comparison, Comparand)
    case isAmong(Operand, Set<FieldValue>)
    case hasPrefix(Operand, String)
    case isLike(Operand, LikePattern)
    case inside(Operand, JSONCondition)
    case isWithin(Operand, GeoArea)
    case computes(Comparison, ComputedOperand, ComputedOperand)

    enum Comparison: Hashable, Sendable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual

        func holds(_ order: ValueOrder) -> Bool {
            switch self {
            case .equal: order == .same
            case .notEqual: order != .same
            case .less: order == .before
            case .lessOrEqual: order != .after
            case .greater: order == .after
            case .greaterOrEqual: order != .before
            }
        }
    }

    enum Comparand: Hashable, Sendable {
        case value(FieldValue)
        case operand(Operand)
    }
}

extension FilterCondition {
    /// The condition that a record is not deleted.
    static let isPresent = FilterCondition.compares(
        Operand(relation: nil, property: .deleted), .equal, .value(.boolean(false)))

    /// The conditions that must all hold.
    var parts: [FilterCondition] {
        if case .all(let parts) = self { parts } else { [self] }
    }

    /// Adds to `steps` the bytes of the texts that are searched, parsed or computed with. They take
    /// the time of an evaluation.
    func holds(for sighting: JoinedRecord, counting steps: inout Int) -> Bool {
        switch self {
        case .all(let conditions):
            conditions.allSatisfy { $0.holds(for: sighting, counting: &steps) }
        case .any(let conditions):
            conditions.contains { $0.holds(for: sighting, counting: &steps) }
        case .not(let condition): !condition.holds(for: sighting, counting: &steps)
        case .isNull(let operand): sighting.value(of: operand) == nil
        case .compares(let operand, let comparison, let comparand):
            sighting.order(of: operand, to: comparand).map(comparison.holds) ?? false
        case .isAmong(let operand, let values):
            sighting.value(of: operand).map(values.contains) ?? false
        case .hasPrefix(let operand, let prefix):
            sighting.text(of: operand).map { $0.utf8.starts(with: prefix.utf8) } ?? false
        case .isLike(let operand, let pattern):
            sighting.text(of: operand, counting: &steps).map(pattern.matches) ?? false
        case .isWithin(let operand, let area):
            sighting.text(of: operand, counting: &steps).flatMap { GeoPosition($0) }
                .map(area.contains) ?? false
        case .inside(let operand, let condition):
            sighting.text(of: operand, counting: &steps).flatMap { JSONValue(formatted: $0) }
                .map(condition.holds) ?? false
        case .computes(let comparison, let left, let right):
            left.result(in: sighting, counting: &steps).flatMap { left in
                right.result(in: sighting, counting: &steps).flatMap(left.order)
                    .map(comparison.holds)
            } ?? false
        }
    }

    /// Evaluates the condition for all records that the asker sees through a view. Returns nil if
    /// the result depends on the record.
    func verdict(through view: FieldVisibility) -> Bool? {
        switch self {
        case .all(let conditions):
            verdict(of: conditions.map { $0.verdict(through: view) }, decidedBy: false)
        case .any(let conditions):
            verdict(of: conditions.map { $0.verdict(through: view) }, decidedBy: true)
        case .not(let condition): condition.verdict(through: view).map { !$0 }
        case .isNull(let operand): view.shows(operand) ? nil : true
        case .compares(let operand, _, .operand(let other)):
            view.shows(operand) && view.shows(other) ? nil : false
        case .compares(let operand, _, .value), .isAmong(let operand, _),
            .hasPrefix(let operand, _), .isLike(let operand, _), .inside(let operand, _),
            .isWithin(let operand, _):
            view.shows(operand) ? nil : false
        case .computes(_, let left, let right):
            (left.operands + right.operands).allSatisfy(view.shows) ? nil : false
        }
    }

    /// A part that equals `deciding` decides the result. Otherwise all parts must be known.
    private func verdict(of parts: [Bool?], decidedBy deciding: Bool) -> Bool? {
        if parts.contains(deciding) { return deciding }
        return parts.contains(nil) ? nil : !deciding
    }

    /// All operands of the condition, possibly with duplicates.
    var operands: [Operand] {
        switch self {
        case .all(let conditions), .any(let conditions): conditions.flatMap(\.operands)
        case .not(let condition): condition.operands
        case .compares(let operand, _, .operand(let other)): [operand, other]
        case .isNull(let operand), .compares(let operand, _, .value), .isAmong(let operand, _),
            .hasPrefix(let operand, _), .isLike(let operand, _), .inside(let operand, _),
            .isWithin(let operand, _):
            [operand]
        case .computes(_, let left, let right): left.operands + right.operands
        }
    }
}

extension JoinedRecord {
    fileprivate func order(of operand: Operand, to other: FilterCondition.Comparand) -> ValueOrder?
    {
        guard let value = value(of: operand) else { return nil }
        switch other {
        case .value(let other): return value.order(to: other)
        case .operand(let other): return self.value(of: other).flatMap(value.order)
        }
    }

    fileprivate func text(of operand: Operand) -> String? {
        guard case .text(let text) = value(of: operand) else { return nil }
        return text
    }

    fileprivate func text(of operand: Operand, counting steps: inout Int) -> String? {
        let text = text(of: operand)
        steps += text?.utf8.count ?? 0
        return text
    }
}

extension FieldVisibility {
    /// Whether the view may show a value for the operand. For a related record, only the relation
    /// field is checked; the related record has a view of its own.
    fileprivate func shows(_ operand: Operand) -> Bool {
        if let relation = operand.relation { return shows(field: relation.field) }
        switch operand.property {
        case .field(let name, _), .distance(let name, _): return shows(field: name)
        case .guid, .owner, .group, .conflicted, .createdAt, .changedAt, .deleted, .id:
            return self != .nothing
        }
    }
}
