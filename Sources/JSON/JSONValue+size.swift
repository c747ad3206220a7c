extension JSONValue {
    /// About the size of the value as JSON, in bytes: what characters need that are escaped is not
    /// counted. Takes time in proportion to the number of values.
    package var approximateBytes: Int {
        switch self {
        case .string(let text), .decimal(let text): text.utf8.count + 20
        case .null, .boolean, .integer, .unrepresentable: 20
        case .array(let elements): elements.reduce(20) { $0 + $1.approximateBytes }
        case .object(let members): members.values.reduce(20) { $0 + $1.approximateBytes }
        }
    }
}
