extension JSONValue {
    /// JSON in one line, members in the order of their bytes. A number stays the number it was;
    /// one that cannot be held becomes `null`.
    package var text: String {
        switch self {
        case .null, .unrepresentable: "null"
        case .boolean(let boolean): boolean ? "true" : "false"
        case .integer(let integer): "\(integer)"
        case .decimal(let digits): digits
        case .string(let string): quoted(string)
        case .array(let array): "[" + array.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                .map { quoted($0.key) + ":" + $0.value.text }.joined(separator: ",") + "}"
        }
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

private func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"", "\\": quoted += "\\\(scalar)"
        case "\u{0}"..."\u{1F}":
            let digits = String(scalar.value, radix: 16)
            quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: quoted.unicodeScalars.append(scalar)
        }
    }
    return quoted + "\""
}
