package import ChangeRules
package import JSON

/// The causes of a refusal, as a store keeps them.
package enum StoredCauses {
    /// A JSON object with the version of the format.
    package static func text(of causes: [Cause]) -> String {
        JSONText.text(of: [
            "causes": json(of: causes), "version": .integer(StoredFormat.version),
        ])
    }

    /// The causes as a part of a stored object, which has the version.
    package static func json(of causes: [Cause]) -> JSONValue { .array(causes.map(\.stored)) }

    /// Reads stored causes. Throws `StoreError.unreadable` for invalid text.
    package static func causes(in text: String) throws(StoreError) -> [Cause] {
        let members = try StoredMembers(JSONText.value(text), of: "stored causes")
        try StoredFormat.checkVersion(of: members.members)
        return try causes(of: members)
    }

    /// Reads causes that are a part of a stored object, in its member `causes`.
    package static func causes(of members: StoredMembers) throws(StoreError) -> [Cause] {
        try members.list("causes").map { json throws(StoreError) in
            try Cause(stored: StoredMembers(json, of: "a stored cause"))
        }
    }
}
