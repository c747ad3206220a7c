import DefinitionModel
package import JSON

extension JSONValue {
    /// Whether it is a `File` of Parse, or has one in it.
    package var hasParseFile: Bool { hasParseFile { _ in true } }

    /// Whether it is or has a `File` whose contents are on this server. One from another server
    /// has a name of another form, and only an address there.
    package var hasOwnParseFile: Bool {
        hasParseFile { file in
            guard case .string(let name)? = file["name"] else { return true }
            return FileValue(parseName: name) != nil
        }
    }

    private func hasParseFile(where isMeant: ([String: JSONValue]) -> Bool) -> Bool {
        switch self {
        case .array(let elements): elements.contains { $0.hasParseFile(where: isMeant) }
        case .object(let members):
            members["__type"] == .string("File") && isMeant(members)
                || members.values.contains { $0.hasParseFile(where: isMeant) }
        case .null, .boolean, .integer, .decimal, .string, .unrepresentable: false
        }
    }
}
