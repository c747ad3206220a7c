import JSON

/// A line of an archive's `data`: a record, whole.
struct RecordLine: Hashable {
    var model: String
    var guid: String
    var resolvesConflict = false
    /// Whether `s_deleted` is `true`.
    var isDeleted = false
    /// As the line has them, without `s_deleted`.
    var fields: [String: JSONValue] = [:]
}

/// Why a line is none, in words that name what is wrong with it.
struct LineFault: Error, Hashable {
    let words: String
}

extension RecordLine {
    /// The field that says whether the record is deleted.
    static let deletionField = "s_deleted"

    /// Reads one as a client sends it. What it does not know it passes over: clients send more
    /// than is needed, such as the conflict's state.
    init(_ bytes: [UInt8]) throws(LineFault) {
        guard case .object(let members) = try parsed(bytes) else {
            throw LineFault(words: "it is no JSON object")
        }
        model = try members.text("model")
        guid = try members.text("guid")
        resolvesConflict = try members.flag("resolveConflict")
        switch members["fields"] ?? .null {
        case .object(let given):
            isDeleted = try given.flag(Self.deletionField)
            fields = given.filter { $0.key != Self.deletionField }
        case .null: throw LineFault(words: "it has no 'fields'")
        case .boolean, .integer, .decimal, .string, .array, .unrepresentable:
            throw LineFault(words: "its 'fields' are no JSON object")
        }
    }
}

private func parsed(_ bytes: [UInt8]) throws(LineFault) -> JSONValue {
    do {
        return try parseJSON(bytes)
    } catch let error as DecodingError {
        guard case .dataCorrupted(let context) = error else {
            throw LineFault(words: "it is no JSON")
        }
        throw LineFault(words: context.debugDescription)
    } catch {
        throw LineFault(words: "it is no JSON")
    }
}

extension [String: JSONValue] {
    fileprivate func text(_ name: String) throws(LineFault) -> String {
        guard case .string(let text)? = self[name] else {
            throw LineFault(words: "it has no text '\(name)'")
        }
        return text
    }

    /// As text or as such; false where it is not there.
    fileprivate func flag(_ name: String) throws(LineFault) -> Bool {
        switch self[name] ?? .null {
        case .boolean(let flag): return flag
        case .string("true"): return true
        case .string("false"), .null: return false
        case .string, .integer, .decimal, .array, .object, .unrepresentable:
            throw LineFault(words: "its '\(name)' is neither true nor false")
        }
    }
}
