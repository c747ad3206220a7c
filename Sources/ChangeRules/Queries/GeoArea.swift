package import DefinitionModel

/// An area on a map whose meridians and parallels are straight lines.
package enum GeoArea: Hashable, Sendable {
    /// Between two parallels and two meridians, from the west to the east: across the date line if
    /// the western longitude is the greater one.
    case box(southWest: GeoPosition, northEast: GeoPosition)
    /// The inside of a closed line that does not cross the date line. Points on the line may
    /// be inside or outside.
    case polygon([GeoPosition])

    package func contains(_ position: GeoPosition) -> Bool {
        switch self {
        case .box(let southWest, let northEast):
            let (west, east) = (southWest.longitude, northEast.longitude)
            let isBetween =
                west <= east
                ? west <= position.longitude && position.longitude <= east
                : west <= position.longitude || position.longitude <= east
            return isBetween && southWest.latitude <= position.latitude
                && position.latitude <= northEast.latitude
        case .polygon(let corners):
            let point = MapPoint(position)
            let points = corners.map { MapPoint($0) }
            let sides = zip(points, points.dropFirst() + points.prefix(1))
            return sides.count { point.isWest(ofSide: $0, $1) } % 2 == 1
        }
    }
}

/// A position in binary numbers.
private struct MapPoint {
    let x: Double
    let y: Double

    init(_ position: GeoPosition) {
        x = position.longitude.binary
        y = position.latitude.binary
    }

    /// Whether a line from the point to the east meets the side of a polygon.
    func isWest(ofSide start: MapPoint, _ end: MapPoint) -> Bool {
        guard (start.y > y) != (end.y > y) else { return false }
        return x < start.x + (y - start.y) / (end.y - start.y) * (end.x - start.x)
    }
}
