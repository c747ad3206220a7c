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

    /// Whether no more than `depth` arrays and objects stand in each other.
    package func isNested(atMost depth: Int) -> Bool {
        switch self {
        case .null, .boolean, .integer, .decimal, .string, .unrepresentable: true
        case .array(let array): depth > 0 && array.allSatisfy { $0.isNested(atMost: depth - 1) }
        case .object(let members):
            depth > 0 && members.values.allSatisfy { $0.isNested(atMost: depth - 1) }
        }
    }
}
