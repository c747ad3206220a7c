extension JSONValue {
    /// JSON in one line, members in the order of their bytes. A number stays the number it was;
    /// one that cannot be held becomes `null`.
    package var text: String {
        var writer = JSONWriter(keepingDecimals: true)
        writer.value(self)
        return writer.text
    }

    /// False where a number in it could not be held.
    package var isExact: Bool {
        switch self {
        case .null, .boolean, .integer, .decimal, .string: true
        case .unrepresentable: false
        case .array(let array): array.allSatisfy(\.isExact)
        case .object(let members): members.values.allSatisfy(\.isExact)
        }
    }
}
