import ChangeRules
import DefinitionModel

extension FieldTest where Value.Plain == JSONDocument {
    /// The test holds for what stands inside the JSON: the names lead to a member of an object,
    /// from the outside in, and without names it is the whole value. A name goes into each object
    /// of an array, and digits also to the element of that number, from 0 on.
    public static func inside(_ names: [String] = [], _ test: JSONTest) -> FieldTest {
        FieldTest { .inside($0, JSONCondition(path: names, test.test)) }
    }
}

extension FieldTest where Value.Plain == GeoPoint {
    /// The point is between two parallels and two meridians, or on one of them: from the west to
    /// the east, also across the date line.
    public static func isInBox(southWest: GeoPoint, northEast: GeoPoint) -> FieldTest {
        guard let southWest = GeoPosition(southWest.text),
            let northEast = GeoPosition(northEast.text)
        else { return FieldTest { _ in .any([]) } }
        return FieldTest { .within($0, .box(southWest: southWest, northEast: northEast)) }
    }

    /// The point is inside a polygon, whose sides are straight on a map and do not cross the date
    /// line. Points on a side may be inside or outside. Fewer than three corners have no inside.
    public static func isInPolygon(_ corners: [GeoPoint]) -> FieldTest {
        let positions = corners.compactMap { GeoPosition($0.text) }
        guard positions.count == corners.count else { return FieldTest { _ in .any([]) } }
        return FieldTest { .within($0, .polygon(positions)) }
    }
}
