package import DefinitionModel

/// The name of an operand of queries: the distance of the value of a field from a position.
///
/// It is written as `$distance:place:52.5:13.4`.
package struct DistanceName: Hashable, Sendable {
    /// A field with the format `geo`.
    package let field: String
    package let position: GeoPosition

    package init(field: String, from position: GeoPosition) {
        self.field = field
        self.position = position
    }

    /// Nil for another name.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, parts[0] == "$distance",
            let position = GeoPosition("\(parts[2]),\(parts[3])")
        else { return nil }
        self.init(field: parts[1], from: position)
    }

    package var text: String { "$distance:\(field):\(position.latitude):\(position.longitude)" }

    /// The same distance of another field.
    package func of(_ field: String) -> DistanceName { DistanceName(field: field, from: position) }
}
