import DefinitionModel
import JSON

/// The access list (ACL) of an object: who may read and write it.
///
/// Rights come from the definition, so that a list is neither stored nor answered. A list is
/// accepted if it lets in at least whom the definition lets in; one that promises more privacy than
/// that is refused.
struct ParseAccessList: Hashable, Sendable {
    private var readers: Set<String> = []
    private var writers: Set<String> = []

    /// Nil if the value is no access list.
    init?(_ json: JSONValue) {
        guard case .object(let members) = json else { return nil }
        for (name, value) in members {
            guard case .object(let rights) = value else { return nil }
            if rights["read"] == .boolean(true) { readers.insert(name) }
            if rights["write"] == .boolean(true) { writers.insert(name) }
        }
    }

    /// Whether the list lets in whom the definition lets in to the records that a user of a group
    /// owns.
    ///
    /// - Parameters:
    ///   - userID: The id of the owner, as in a list.
    ///   - group: That of the record.
    func isKept(by model: Model, of definition: Definition, userID: String, group: String) -> Bool {
        definition.roles.allSatisfy { role in
            guard let rights = model.credentials[role] else { return true }
            let write = [rights.update, rights.delete]
            return ([(rights.read, readers)] + write.map { ($0, writers) }).allSatisfy {
                lets(in: role, by: $0.0, $0.1, userID: userID, group: group)
            }
        }
    }

    private func lets(
        in role: Role, by level: AccessLevel, _ names: Set<String>, userID: String, group: String
    ) -> Bool {
        if names.contains("*") || names.contains("role:\(role.group)") { return true }
        switch level {
        case .none: return true
        case .own: return role.group != group || names.contains(userID)
        case .group: return role.group != group
        case .all: return false
        }
    }
}
