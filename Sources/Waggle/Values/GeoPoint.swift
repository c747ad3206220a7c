import DefinitionModel
import Foundation

/// The value of a text field with the format `geo`: a point on the earth. To records and conflicts
/// it is one value.
public struct GeoPoint: FormattedText {
    /// Latitude and longitude, such as `52.5,13.4`.
    public let text: String

    /// A point by its degrees, of whose fractions 15 digits count. Nil unless the latitude is from
    /// -90 to 90 and the longitude from -180 to 180.
    public init?(latitude: Double, longitude: Double) {
        let numbers = [latitude, longitude].compactMap { degrees in
            DecimalNumber(String(format: "%.15f", degrees))
        }
        guard numbers.count == 2,
            let position = GeoPosition(latitude: numbers[0], longitude: numbers[1])
        else { return nil }
        text = position.description
    }

    /// The default of a field, as generated code writes it; the compiler of the definition has
    /// checked it.
    public init(canonical text: String) {
        self.text = text
    }

    /// From the equator to the north, in degrees; not a number for a text that is no point.
    public var latitude: Double { degrees(\.latitude) }

    /// From Greenwich to the east, in degrees; not a number for a text that is no point.
    public var longitude: Double { degrees(\.longitude) }

    private func degrees(_ part: KeyPath<GeoPosition, DecimalNumber>) -> Double {
        GeoPosition(text)?[keyPath: part].binary ?? .nan
    }
}
