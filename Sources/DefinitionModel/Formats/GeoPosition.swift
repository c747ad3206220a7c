/// A point on the earth, in degrees of latitude and longitude.
///
/// It is written as `52.5,13.4`. The first 15 digits of a fraction count.
package struct GeoPosition: Hashable, Sendable {
    /// From the equator to the north, -90 to 90.
    package let latitude: DecimalNumber
    /// From Greenwich to the east, -180 to 180.
    package let longitude: DecimalNumber

    /// Nil outside of the ranges.
    package init?(latitude: DecimalNumber, longitude: DecimalNumber) {
        let (poles, dateLine) = (DecimalNumber(90), DecimalNumber(180))
        guard (DecimalNumber(-90)...poles).contains(latitude),
            (DecimalNumber(-180)...dateLine).contains(longitude)
        else { return nil }
        self.latitude = latitude.shortened
        self.longitude = longitude.shortened
    }

    /// Nil unless the text is two numbers with a comma between them. Spaces around a number do not
    /// count.
    package init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            DecimalNumber(part.split(separator: " ").map(String.init).joined(separator: " "))
        }
        guard parts.count == 2, numbers.count == 2 else { return nil }
        self.init(latitude: numbers[0], longitude: numbers[1])
    }

    static let fractionDigits = 15
}

extension GeoPosition: CustomStringConvertible {
    package var description: String { "\(latitude),\(longitude)" }
}

extension DecimalNumber {
    /// The nearest binary number.
    package var binary: Double { Double(description) ?? .nan }

    /// Without the fraction digits that do not count in a position.
    fileprivate var shortened: DecimalNumber {
        guard fractionDigits > GeoPosition.fractionDigits else { return self }
        let text = description.dropLast(fractionDigits - GeoPosition.fractionDigits)
        return DecimalNumber(String(text)) ?? self
    }
}
