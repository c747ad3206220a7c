import ChangeRules
import DefinitionModel
import ForeignValues
import JSON

/// Conditions on a `GeoPoint`.
extension ParseFilter {
    /// The members of a condition that say how far `$near` reaches, with their unit in meters.
    private static let distances = [
        "$maxDistance": GeoPosition.earthRadiusMeters,
        "$maxDistanceInRadians": GeoPosition.earthRadiusMeters,
        "$maxDistanceInMiles": 1609.344, "$maxDistanceInKilometers": 1000.0,
    ]

    /// Nil for an operator that is not about places.
    func placeConstraint(
        _ word: String, _ value: JSONValue, on field: String, beside members: [String: JSONValue]
    ) throws(ParseFailure) -> QueryFilter? {
        switch word {
        case "$near", "$nearSphere":
            _ = try position(value)
            return .not(.null(operand: field))
        case "$within":
            guard case .array(let corners)? = value.member("$box"), corners.count == 2 else {
                throw .badQuery("$within takes a $box of two points")
            }
            return .within(
                operand: field,
                .box(
                    southWest: try position(corners[0]), northEast: try position(corners[1])))
        case "$geoWithin": return try geoWithin(value, on: field)
        case _:
            guard let unit = Self.distances[word] else { return nil }
            guard let center = members["$near"] ?? members["$nearSphere"] else {
                throw .badQuery("\(word) without $nearSphere")
            }
            return try circle(around: position(center), value, unit: unit, on: field)
        }
    }

    private func geoWithin(
        _ value: JSONValue, on field: String
    ) throws(ParseFailure) -> QueryFilter {
        if case .array(let corners)? = value.member("$polygon"), corners.count > 2 {
            var positions: [GeoPosition] = []
            for corner in corners { positions.append(try position(corner)) }
            return .within(operand: field, .polygon(positions))
        }
        guard case .array(let parts)? = value.member("$centerSphere"), parts.count == 2 else {
            throw .badQuery("$geoWithin takes a $polygon of points, or a $centerSphere")
        }
        return try circle(
            around: position(parts[0]), parts[1], unit: GeoPosition.earthRadiusMeters, on: field)
    }

    private func circle(
        around center: GeoPosition, _ radius: JSONValue, unit: Double, on field: String
    ) throws(ParseFailure) -> QueryFilter {
        guard let radius = radius.number?.binary, radius >= 0,
            let meters = Int64(exactly: (radius * unit).rounded(.up))
        else { throw .badQuery("a distance is a number from 0 on") }
        return .compare(
            .le, operand: DistanceName(field: field, from: center).text,
            with: .value(.integer(meters)))
    }

    /// The operand by which the objects of a `$near` are in order, unless the client asks for
    /// another order; nil for a condition without one. It may stand in an `$and`, to which other
    /// conditions on the key make it.
    func nearness(in json: JSONValue) throws(ParseFailure) -> String? {
        guard case .object(let members) = json else { return nil }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            if name == "$and", case .array(let parts) = value {
                for part in parts {
                    if let nearness = try nearness(in: part) { return nearness }
                }
            }
            guard let field = FilterOperand(name, of: model, in: records).placeName,
                let center = value.member("$near") ?? value.member("$nearSphere")
            else { continue }
            return DistanceName(field: field, from: try position(center)).text
        }
        return nil
    }

    /// A point, or a list of longitude and latitude.
    private func position(_ json: JSONValue) throws(ParseFailure) -> GeoPosition {
        if let position = GeoPosition(parse: json) { return position }
        if case .array(let numbers) = json, numbers.count == 2, let longitude = numbers[0].number,
            let latitude = numbers[1].number,
            let position = GeoPosition(latitude: latitude, longitude: longitude)
        {
            return position
        }
        throw .badJSON("a place is a GeoPoint")
    }
}

extension JSONValue {
    /// Nil if it is no object or has no such member.
    func member(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }
}
