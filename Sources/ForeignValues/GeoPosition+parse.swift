import ChangeRules
package import DefinitionModel
package import JSON

extension GeoPosition {
    /// Reads a `GeoPoint`; nil for another value.
    package init?(parse json: JSONValue) {
        guard case .object(let members) = json, members["__type"] == "GeoPoint",
            let latitude = members["latitude"]?.number,
            let longitude = members["longitude"]?.number
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    package var json: JSONValue {
        .object([
            "__type": "GeoPoint", "latitude": .decimal(latitude.description),
            "longitude": .decimal(longitude.description),
        ])
    }
}
