import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import SyncProtocol

/// A record as a device shows it: the server's version with the waiting changes applied.
struct DisplayedRecord: Sendable {
    let model: String
    let guid: String
    let ownership: Ownership
    var isDeleted: Bool
    let isConflicted: Bool
    /// Invisible fields are absent.
    var fields: [String: JSONValue]

    fileprivate init(_ message: RecordMessage) {
        model = message.model
        guid = message.guid
        ownership = Ownership(owner: message.owner, group: message.group)
        isDeleted = message.deleted
        isConflicted = message.conflicted
        fields = message.fields ?? [:]
    }

    fileprivate init(
        created change: ChangeMessage, from start: [String: JSONValue], by participant: Participant,
        group: String
    ) {
        model = change.model
        guid = change.guid
        ownership = Ownership(owner: participant.login, group: group)
        isDeleted = false
        isConflicted = false
        fields = start.merging(change.fields) { _, given in given }
    }

    fileprivate mutating func apply(_ change: ChangeMessage, from start: [String: JSONValue]) {
        switch change.action {
        case .create:
            fields = start.merging(change.fields) { _, given in given }
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
    /// The version that the server sent or will send.
    func held(_ guid: String) -> RecordMessage? { (awaited[guid] ?? nil) ?? records[guid] }

    /// Nil if the device has no such record.
    func seen(_ guid: String) -> DisplayedRecord? { seen(guid, with: waiting) }

    func seen(_ guid: String, with waiting: [WaitingChange]) -> DisplayedRecord? {
        var seen = held(guid).map(DisplayedRecord.init)
        for change in waiting.lazy.map(\.message) where change.guid == guid {
            let start = change.action == .create ? startingFields(of: change.model) : [:]
            if seen == nil, change.action == .create {
                let group = session?.role.group ?? participant.group
                seen = DisplayedRecord(
                    created: change, from: start, by: participant, group: group)
            } else {
                seen?.apply(change, from: start)
            }
        }
        guard shadowsRealClient, let app, var known = seen else { return seen }
        guard app.rules.model(named: known.model) != nil else { return nil }
        known.fields = known.fields.filter { app.field($0.key, of: known.model) != nil }
        return known
    }

    /// All records that the device shows, in a deterministic order.
    func everythingSeen() -> [DisplayedRecord] {
        let created = waiting.map(\.message).filter { $0.action == .create }.map(\.guid)
        return Set(records.keys).union(awaited.keys).union(created).sorted()
            .compactMap(seen)
    }
}
