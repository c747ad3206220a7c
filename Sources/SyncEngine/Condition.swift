import AccessPolicy
import DefinitionModel

/// A condition that has been checked: its fields are there, and its values are of their types.
///
/// It holds or it does not. A comparison in which a side is null does not hold, so `not` of it
/// does; and null is also what is not the asker's to read.
indirect enum Condition: Hashable, Sendable {
    case all([Condition])
    case any([Condition])
    case not(Condition)
    case isNull(Operand)
    case compares(Operand, Comparison, Comparand)
    case isAmong(Operand, Set<FieldValue>)
    case hasPrefix(Operand, String)
    case isLike(Operand, LikePattern)

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

extension Condition {
    func holds(for sighting: Sighting) -> Bool {
        switch self {
        case .all(let conditions): conditions.allSatisfy { $0.holds(for: sighting) }
        case .any(let conditions): conditions.contains { $0.holds(for: sighting) }
        case .not(let condition): !condition.holds(for: sighting)
        case .isNull(let operand): sighting.value(of: operand) == nil
        case .compares(let operand, let comparison, let comparand):
            sighting.order(of: operand, to: comparand).map(comparison.holds) ?? false
        case .isAmong(let operand, let values):
            sighting.value(of: operand).map(values.contains) ?? false
        case .hasPrefix(let operand, let prefix):
            sighting.text(of: operand).map { $0.utf8.starts(with: prefix.utf8) } ?? false
        case .isLike(let operand, let pattern):
            sighting.text(of: operand).map(pattern.matches) ?? false
        }
    }

    /// Whether it holds for every record, or for none, of which no more is known than that an
    /// asker sees it like this; nil when that depends on the record.
    func verdict(through view: View) -> Bool? {
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
            .hasPrefix(let operand, _), .isLike(let operand, _):
            view.shows(operand) ? nil : false
        }
    }

    /// One part that is so decides the whole; without one, all have to be known.
    private func verdict(of parts: [Bool?], decidedBy deciding: Bool) -> Bool? {
        if parts.contains(deciding) { return deciding }
        return parts.contains(nil) ? nil : !deciding
    }

    /// Everything that it asks of a record, some perhaps more than once.
    var operands: [Operand] {
        switch self {
        case .all(let conditions), .any(let conditions): conditions.flatMap(\.operands)
        case .not(let condition): condition.operands
        case .compares(let operand, _, .operand(let other)): [operand, other]
        case .isNull(let operand), .compares(let operand, _, .value), .isAmong(let operand, _),
            .hasPrefix(let operand, _), .isLike(let operand, _):
            [operand]
        }
    }
}

extension Sighting {
    fileprivate func order(of operand: Operand, to other: Condition.Comparand) -> ValueOrder? {
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
}

extension View {
    /// Whether a value may be behind the operand; where it is of a related record, that one says.
    fileprivate func shows(_ operand: Operand) -> Bool {
        if let relation = operand.relation { return shows(field: relation.field) }
        switch operand.property {
        case .field(let name, _): return shows(field: name)
        case .guid, .owner, .group, .conflicted: return self != .nothing
        }
    }
}
