import ChangeRules
import DefinitionModel
import Foundation

/// Parallels and meridians between which an area is, in degrees of binary numbers. They are a
/// little apart from it: rounding leaves nothing out.
struct GeoBounds: Hashable, Sendable {
    let latitudes: Bounds
    /// One, or two for an area across the date line.
    let longitudes: [Bounds]

    /// Contains nothing where `low` is the greater one.
    struct Bounds: Hashable, Sendable {
        var low: Double
        var high: Double

        fileprivate func widened() -> Bounds {
            Bounds(low: low - GeoBounds.marginDegrees, high: high + GeoBounds.marginDegrees)
        }
    }

    /// About a centimeter.
    private static let marginDegrees = 1e-7
    private static let marginMeters = 1.0

    init(_ area: GeoArea) {
        switch area {
        case .box(let southWest, let northEast):
            latitudes =
                Bounds(low: southWest.latitude.binary, high: northEast.latitude.binary).widened()
            let longitudes = Bounds(
                low: southWest.longitude.binary, high: northEast.longitude.binary)
            self.longitudes =
                southWest.longitude <= northEast.longitude
                ? [longitudes.widened()]
                : [
                    Bounds(low: longitudes.low, high: 180).widened(),
                    Bounds(low: -180, high: longitudes.high).widened(),
                ]
        case .polygon(let corners):
            latitudes = Bounds(around: corners.map(\.latitude.binary)).widened()
            longitudes = [Bounds(around: corners.map(\.longitude.binary)).widened()]
        }
    }

    /// The bounds of the points at most this far from a point. No point is farther than half
    /// around the earth.
    init(meters: Double, around center: GeoPosition) {
        let angle = (max(0, meters) + Self.marginMeters) / GeoPosition.earthRadiusMeters
        let (latitude, longitude) = (center.latitude.binary, center.longitude.binary)
        let degrees = angle * 180 / .pi
        latitudes = Bounds(low: latitude - degrees, high: latitude + degrees).widened()
        // The circle meets all meridians at a pole.
        guard latitudes.low > -90, latitudes.high < 90 else {
            longitudes = [Bounds(low: -180, high: 180).widened()]
            return
        }
        let east = asin(min(1, sin(angle) / cos(latitude * .pi / 180))) * 180 / .pi
        let all = Bounds(low: longitude - east, high: longitude + east).widened()
        if all.low < -180 {
            longitudes = [
                Bounds(low: all.low + 360, high: 180).widened(),
                Bounds(low: -180, high: all.high).widened(),
            ]
        } else if all.high > 180 {
            longitudes = [
                Bounds(low: all.low, high: 180).widened(),
                Bounds(low: -180, high: all.high - 360).widened(),
            ]
        } else {
            longitudes = [all]
        }
    }
}

extension GeoBounds.Bounds {
    /// From the least to the greatest of the numbers; contains nothing if there are none.
    fileprivate init(around numbers: [Double]) {
        self.init(low: numbers.min() ?? .infinity, high: numbers.max() ?? -.infinity)
    }
}
