package import JSON

extension Cause {
    /// The members `code`, `message` and, where there is one, `field`, for clients of other
    /// products. The argument is left out: it may be the guid of a record that such a client knows
    /// by another id only.
    package var json: JSONValue {
        let description = CauseDescription(self)
        var members: [String: JSONValue] = [
            "code": .string(description.code), "message": .string(description.message),
        ]
        if let field { members["field"] = .string(field) }
        return .object(members)
    }
}
