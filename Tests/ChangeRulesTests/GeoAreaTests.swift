import ChangeRules
import DefinitionModel
import Testing

@Suite("Areas have points of the earth")
struct GeoAreaTests {
    private func box(_ southWest: String, _ northEast: String) throws -> GeoArea {
        .box(
            southWest: try #require(GeoPosition(southWest)),
            northEast: try #require(GeoPosition(northEast)))
    }

    private func expect(
        _ area: GeoArea, within: [String], outside: [String]
    ) throws {
        for text in within + outside {
            let position = try #require(GeoPosition(text))
            #expect(area.contains(position) == within.contains(text), "\(text)")
        }
    }

    @Test func boxHasItsCorners() throws {
        try expect(
            box("-1,10", "2,20"), within: ["0,15", "-1,10", "2,20"],
            outside: ["2.1,15", "-1.1,15", "0,9.9", "0,20.1"])
    }

    @Test func boxGoesAcrossDateLine() throws {
        try expect(
            box("-1,170", "2,-170"), within: ["0,180", "0,-180", "0,-170", "0,170"],
            outside: ["0,169", "0,-169", "0,0"])
    }

    /// Like a U.
    @Test func polygonHasItsInside() throws {
        let corners = ["0,0", "0,6", "6,6", "6,4", "2,4", "2,2", "6,2", "6,0"]
        try expect(
            .polygon(corners.compactMap { GeoPosition($0) }), within: ["1,3", "5,1", "5,5"],
            outside: ["5,3", "7,1", "1,-1", "1,7"])
    }

    @Test func distanceIsNamed() throws {
        let name = try #require(DistanceName("$distance:place:52.50:-13.4"))
        #expect(name.field == "place" && name.position == GeoPosition("52.5,-13.4"))
        #expect(name.text == "$distance:place:52.5:-13.4")
        #expect(name.of("spot").text == "$distance:spot:52.5:-13.4")
        for other in ["place", "$distance:place", "$distance:place:91:0", "$distance:a:1:2:3"] {
            #expect(DistanceName(other) == nil)
        }
    }
}
