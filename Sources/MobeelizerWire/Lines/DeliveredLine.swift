import ChangeRules
import Foundation
import JSON
import SyncEngine

/// A line of an archive's `data` as clients are sent it.
struct DeliveredLine: Encodable, Hashable {
    enum ConflictState: String, Encodable {
        case none = "NO_IN_CONFLICT"
        /// The client keeps its own values.
        case ofThisDevice = "IN_CONFLICT_BECAUSE_OF_YOU"
        /// It takes these.
        case ofOthers = "IN_CONFLICT"
    }

    let model: String
    let guid: String
    let owner: String?
    let group: String?
    let conflictState: ConflictState
    let resolveConflict = false
    /// Texts and nulls; `s_deleted` is always among them. What is not here is not the reader's to
    /// see.
    let fields: [String: JSONValue]

    private enum CodingKeys: String, CodingKey {
        case model, guid, owner, group, conflictState, resolveConflict, fields
    }

    /// Every member is there, if need be as null.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(model, forKey: .model)
        try container.encode(guid, forKey: .guid)
        try container.encode(owner, forKey: .owner)
        try container.encode(group, forKey: .group)
        try container.encode(conflictState, forKey: .conflictState)
        try container.encode(resolveConflict, forKey: .resolveConflict)
        try container.encode(fields, forKey: .fields)
    }
}

extension DeliveredLine {
    /// Nil for a record of a model that the client does not know.
    init?(_ record: DeliveredRecord, through lens: VersionLens) {
        let view = record.view
        guard let model = lens.model(view.model) else { return nil }
        self.init(
            model: model.clientName, guid: view.guid, owner: view.owner,
            group: view.group,
            conflictState: !view.isConflicted
                ? .none : record.isDisputedHere ? .ofThisDevice : .ofOthers,
            fields: model.fieldsOnWire(view.fields ?? [:], isDeleted: view.isDeleted))
    }

    /// That a record is not the client's to see any more, in the only words that it has for that.
    init?(_ dropped: RecordKey, through lens: VersionLens) {
        guard let model = lens.model(dropped.model) else { return nil }
        self.init(
            model: model.clientName, guid: dropped.guid, owner: nil, group: nil,
            conflictState: .none, fields: model.fieldsOnWire([:], isDeleted: true))
    }

    /// With the `\n` that ends it.
    func bytes() throws -> [UInt8] { try lineBytes(of: self) }
}

func lineBytes(of line: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try Array(encoder.encode(line)) + [UInt8(ascii: "\n")]
}

extension ModelLens {
    /// By the client's names.
    func fieldsOnWire(
        _ fields: [String: JSONValue], isDeleted: Bool
    ) -> [String: JSONValue] {
        let known = fields.compactMap { name, value in
            clientName(ofField: name).map { ($0, value.onWire) }
        }
        let deletion = (RecordLine.deletionField, JSONValue.string(String(isDeleted)))
        return Dictionary(known + [deletion], uniquingKeysWith: { first, _ in first })
    }
}
