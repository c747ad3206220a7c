import JSON

/// A line of the `data` entry in a client's archive: a whole record.
struct RecordLine: Hashable {
    var model: String
    var guid: String
    var resolvesConflict = false
    /// Whether `s_deleted` is `true`.
    var isDeleted = false
    /// Without `s_deleted`.
    var fields: [String: JSONValue] = [:]
}

/// The reason why a line is invalid, for people.
struct LineError: Error, Hashable {
    let reason: String
}

extension RecordLine {
    /// The name of the field that marks a deleted record.
    static let deletionField = "s_deleted"

    /// Parses a line. Unknown members are ignored: clients send more than needed, such as the
    /// conflict state.
    init(_ bytes: [UInt8]) throws(LineError) {
        guard case .object(let members) = try parsed(bytes) else {
            throw LineError(reason: "it is not a JSON object")
        }
        model = try members.text("model")
        guid = try members.text("guid")
        resolvesConflict = try members.flag("resolveConflict")
        switch members["fields"] ?? .null {
        case .object(let given):
            isDeleted = try given.flag(Self.deletionField)
            fields = given.filter { $0.key != Self.deletionField }
        case .null: throw LineError(reason: "it has no 'fields'")
        case .boolean, .integer, .decimal, .string, .array, .unrepresentable:
            throw LineError(reason: "its 'fields' are not a JSON object")
        }
    }
}

extension RecordLine {
    /// The memory for the values of most lines, in bytes for each byte of the line.
    static let valuesPerByte = 6
}

private func parsed(_ bytes: [UInt8]) throws(LineError) -> JSONValue {
    do {
        return try parseJSON(bytes)
    } catch let error as DecodingError {
        guard case .dataCorrupted(let context) = error else {
            throw LineError(reason: "it is not JSON")
        }
        throw LineError(reason: context.debugDescription)
    } catch {
        throw LineError(reason: "it is not JSON")
    }
}

extension [String: JSONValue] {
    fileprivate func text(_ name: String) throws(LineError) -> String {
        guard case .string(let text)? = self[name] else {
            throw LineError(reason: "it has no text '\(name)'")
        }
        return text
    }

    /// A boolean or a string; false if absent.
    fileprivate func flag(_ name: String) throws(LineError) -> Bool {
        switch self[name] ?? .null {
        case .boolean(let flag): return flag
        case .string("true"): return true
        case .string("false"), .null: return false
        case .string, .integer, .decimal, .array, .object, .unrepresentable:
            throw LineError(reason: "its '\(name)' is neither true nor false")
        }
    }
}
