import ChangeRules
import DefinitionModel
import Foundation
import Testing

@Suite("Distances are great circles")
struct DistanceTests {
    private static let latitudes = [
        "-90", "-89.99999", "-33.3", "-0.000000001", "0", "52.52", "52.520001", "89.9", "90",
    ]
    private static let longitudes = [
        "-180", "-179.9999", "-90", "-0.1", "0", "0.00000001", "13.405", "77.7", "179.9999", "180",
    ]

    private static let places = latitudes.flatMap { latitude in
        longitudes.compactMap { GeoPosition("\(latitude),\($0)") }
    }

    /// Another formula, by the functions of the system.
    private func meters(_ start: GeoPosition, _ end: GeoPosition) -> Double {
        let (a, b) = (start.latitude.binary * .pi / 180, end.latitude.binary * .pi / 180)
        let east = (end.longitude.binary - start.longitude.binary) * .pi / 180
        let x = cos(a) * sin(b) - sin(a) * cos(b) * cos(east)
        let y = cos(b) * sin(east)
        let z = sin(a) * sin(b) + cos(a) * cos(b) * cos(east)
        return GeoPosition.earthRadiusMeters * atan2((x * x + y * y).squareRoot(), z)
    }

    @Test(arguments: places)
    func distanceIsThatOfGreatCircle(start: GeoPosition) {
        for end in Self.places {
            let (expected, found) = (meters(start, end), start.meters(to: end))
            #expect(abs(found.binary - expected) < 0.0006, "\(start) to \(end): \(found)")
            #expect(found == end.meters(to: start), "\(start) to \(end)")
        }
    }

    @Test(arguments: [
        ("52.52,13.405", "52.52,13.405", "0"), ("52.52,13.405", "48.8566,2.3522", "877463.326"),
        ("0,0", "0,180", "20015086.796"), ("90,0", "-90,17", "20015086.796"),
        ("0,180", "0,-180", "0"), ("0,0", "0.00000001,0", "0.001"),
    ])
    func distanceIsToMillimeter(start: String, end: String, meters: String) throws {
        let start = try #require(GeoPosition(start))
        #expect(try start.meters(to: #require(GeoPosition(end))) == DecimalNumber(meters))
    }
}
