package import ChangeRules
import JSON

/// The causes of a refusal, as a store keeps them.
package enum StoredCauses {
    /// A JSON object with the version of the format.
    package static func text(of causes: [Cause]) -> String {
        JSONText.text(of: [
            "causes": .array(causes.map(\.stored)), "version": .integer(StoredFormat.version),
        ])
    }

    /// Reads stored causes. Throws `StoreError.unreadable` for invalid text.
    package static func causes(in text: String) throws(StoreError) -> [Cause] {
        let members = try StoredMembers(JSONText.value(text), of: "stored causes")
        _ = try StoredFormat.checkVersion(of: members.members)
        return try members.list("causes").map { json throws(StoreError) in
            try Cause(stored: StoredMembers(json, of: "a stored cause"))
        }
    }
}
