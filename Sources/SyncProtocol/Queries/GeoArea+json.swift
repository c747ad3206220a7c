package import ChangeRules
import DefinitionModel
package import JSON

extension GeoArea {
    /// Reads `{"box": ["52,13", "53,14"]}` or `{"polygon": ["52,13", "53,13", "52.5,14"]}`. Nil for
    /// anything else.
    package init?(_ json: JSONValue) {
        guard case .object(let members) = json, members.count == 1,
            let (word, value) = members.first, let texts = value.strings
        else { return nil }
        let positions = texts.compactMap { GeoPosition($0) }
        guard positions.count == texts.count else { return nil }
        switch word {
        case "box" where positions.count == 2:
            self = .box(southWest: positions[0], northEast: positions[1])
        case "polygon" where positions.count > 2: self = .polygon(positions)
        case _: return nil
        }
    }

    /// The object that `init(_:)` reads, except for a polygon of fewer than three corners.
    package var json: JSONValue {
        switch self {
        case .box(let southWest, let northEast): Self.object("box", [southWest, northEast])
        case .polygon(let corners): Self.object("polygon", corners)
        }
    }

    private static func object(_ word: String, _ positions: [GeoPosition]) -> JSONValue {
        .object([word: .array(positions.map { .string($0.description) })])
    }
}
