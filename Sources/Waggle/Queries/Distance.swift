import ChangeRules
import DefinitionModel
import JSON

/// The distance of the point in a field of each record from one point, to compare and to sort by:
/// `Distance(\.place, from: here) <= 5000`.
///
/// It is measured in meters, to the millimeter, along a sphere with the mean radius of the earth,
/// as on the server. A record without a point, or with a hidden one, has no distance: every
/// comparison with it is false.
public struct Distance<Model: Record>: Sendable {
    let place: PlaceDistance

    /// The distance of a field from a point.
    public init<Value: Comparing>(_ path: KeyPath<Model, Value>, from point: GeoPoint)
    where Value.Plain == GeoPoint {
        place = PlaceDistance(
            property: Model.property(at: path), start: GeoPosition(point.text))
    }

    fileprivate func compares(
        _ comparison: Comparison, _ meters: ExactDecimal
    ) -> Condition<Model> {
        compares(comparison, .value(.decimal(meters.description)))
    }

    fileprivate func compares(
        _ comparison: Comparison, _ path: PartialKeyPath<Model>
    ) -> Condition<Model> {
        compares(comparison, .property(Model.property(at: path)))
    }

    private func compares(
        _ comparison: Comparison, _ operand: ConditionOperand
    ) -> Condition<Model> {
        Condition(predicate: .distance(place, comparison, operand))
    }
}

/// A type of numbers, with which queries compare a ``Distance``.
public protocol ComparableWithDistance: StorableValue {}

extension Int64: ComparableWithDistance {}
extension ExactDecimal: ComparableWithDistance {}

// MARK: - A distance and a number of meters

/// Exactly so many meters.
public func == <Model>(distance: Distance<Model>, meters: ExactDecimal) -> Condition<Model> {
    distance.compares(.equal, meters)
}

/// Some other number of meters.
public func != <Model>(distance: Distance<Model>, meters: ExactDecimal) -> Condition<Model> {
    distance.compares(.notEqual, meters)
}

/// Nearer than so many meters.
public func < <Model>(distance: Distance<Model>, meters: ExactDecimal) -> Condition<Model> {
    distance.compares(.less, meters)
}

/// At most so many meters.
public func <= <Model>(distance: Distance<Model>, meters: ExactDecimal) -> Condition<Model> {
    distance.compares(.lessOrEqual, meters)
}

/// Farther than so many meters.
public func > <Model>(distance: Distance<Model>, meters: ExactDecimal) -> Condition<Model> {
    distance.compares(.greater, meters)
}

/// At least so many meters.
public func >= <Model>(distance: Distance<Model>, meters: ExactDecimal) -> Condition<Model> {
    distance.compares(.greaterOrEqual, meters)
}

// MARK: - A distance and a field

/// As many meters as a field of the record says.
public func == <Model, Value: Comparing>(
    distance: Distance<Model>, path: KeyPath<Model, Value>
) -> Condition<Model> where Value.Plain: ComparableWithDistance {
    distance.compares(.equal, path)
}

/// Some other number of meters than a field of the record says.
public func != <Model, Value: Comparing>(
    distance: Distance<Model>, path: KeyPath<Model, Value>
) -> Condition<Model> where Value.Plain: ComparableWithDistance {
    distance.compares(.notEqual, path)
}

/// Nearer than a field of the record says, in meters.
public func < <Model, Value: Comparing>(
    distance: Distance<Model>, path: KeyPath<Model, Value>
) -> Condition<Model> where Value.Plain: ComparableWithDistance {
    distance.compares(.less, path)
}

/// At most as far as a field of the record says, in meters.
public func <= <Model, Value: Comparing>(
    distance: Distance<Model>, path: KeyPath<Model, Value>
) -> Condition<Model> where Value.Plain: ComparableWithDistance {
    distance.compares(.lessOrEqual, path)
}

/// Farther than a field of the record says, in meters.
public func > <Model, Value: Comparing>(
    distance: Distance<Model>, path: KeyPath<Model, Value>
) -> Condition<Model> where Value.Plain: ComparableWithDistance {
    distance.compares(.greater, path)
}

/// At least as far as a field of the record says, in meters.
public func >= <Model, Value: Comparing>(
    distance: Distance<Model>, path: KeyPath<Model, Value>
) -> Condition<Model> where Value.Plain: ComparableWithDistance {
    distance.compares(.greaterOrEqual, path)
}
