import AccessPolicy
import DefinitionModel
import JSON
import SyncProtocol

/// A record as a device shows it: what the server sent, with the waiting changes on top.
struct SeenRecord: Sendable {
    let model: String
    let guid: String
    let ownership: Ownership
    var isDeleted: Bool
    let isConflicted: Bool
    /// What is not here is not theirs to see.
    var fields: [String: JSONValue]

    fileprivate init(_ message: RecordMessage) {
        model = message.model
        guid = message.guid
        ownership = Ownership(owner: message.owner, group: message.group)
        isDeleted = message.deleted
        isConflicted = message.conflicted
        fields = message.fields ?? [:]
    }

    fileprivate init(created change: ChangeMessage, by player: Player, group: String) {
        model = change.model
        guid = change.guid
        ownership = Ownership(owner: player.login, group: group)
        isDeleted = false
        isConflicted = false
        fields = change.fields
    }

    fileprivate mutating func apply(_ change: ChangeMessage) {
        switch change.action {
        case .create:
            fields = change.fields
            isDeleted = false
        case .update: fields.merge(change.fields) { _, new in new }
        case .resolve:
            fields.merge(change.fields) { _, new in new }
            isDeleted = isDeleted && change.fields.isEmpty
        case .delete: isDeleted = true
        }
    }
}

extension Client {
    /// What the server sent, or will send.
    func held(_ guid: String) -> RecordMessage? { (awaited[guid] ?? nil) ?? records[guid] }

    /// Nil where the device knows of none.
    func seen(_ guid: String) -> SeenRecord? { seen(guid, with: waiting) }

    func seen(_ guid: String, with waiting: [WaitingChange]) -> SeenRecord? {
        var seen = held(guid).map(SeenRecord.init)
        for change in waiting.lazy.map(\.message) where change.guid == guid {
            if seen == nil, change.action == .create {
                let group = session?.role.group ?? player.group
                seen = SeenRecord(created: change, by: player, group: group)
            } else {
                seen?.apply(change)
            }
        }
        return seen
    }

    /// Everything that the device shows, in an order that does not depend on chance.
    func everythingSeen() -> [SeenRecord] {
        let created = waiting.map(\.message).filter { $0.action == .create }.map(\.guid)
        return Set(records.keys).union(awaited.keys).union(created).sorted()
            .compactMap(seen)
    }
}
