package import DefinitionModel
import Foundation

extension GeoPosition {
    /// Along the surface of a sphere with the mean radius of the earth, in meters, to the
    /// millimeter.
    package func meters(to other: GeoPosition) -> DecimalNumber {
        let (start, end) = (latitude.radians, other.latitude.radians)
        let north = sin((end - start) / 2)
        let east = sin((other.longitude.radians - longitude.radians) / 2)
        let chord = north * north + cos(start) * cos(end) * east * east
        let meters = 2 * Self.earthRadiusMeters * asin(min(1, chord.squareRoot()))
        let text = String(format: "%.3f", meters)
        return DecimalNumber(text) ?? DecimalNumber(0)
    }

    package static let earthRadiusMeters = 6_371_000.0
}

extension DecimalNumber {
    /// The angle in radians of a number of degrees.
    fileprivate var radians: Double { binary * .pi / 180 }
}
