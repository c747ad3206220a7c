package import AccessPolicy
import ChangeRules
import JSON

/// A record as a store keeps it.
package struct StoredRecord: Hashable, Sendable {
    package let guid: String
    package var model: String
    package var owner: String
    package var group: String
    /// 1 for a new record, and one more with each change.
    package var revision: Int64
    /// A deleted record keeps its last values until its tombstone is purged.
    package var isDeleted: Bool
    package var isConflicted: Bool
    /// A JSON object of the fields that are not null.
    package var fieldsText: String

    package init(
        guid: String, model: String, owner: String, group: String, revision: Int64,
        isDeleted: Bool, isConflicted: Bool, fieldsText: String
    ) {
        self.guid = guid
        self.model = model
        self.owner = owner
        self.group = group
        self.revision = revision
        self.isDeleted = isDeleted
        self.isConflicted = isConflicted
        self.fieldsText = fieldsText
    }

    /// Returns the value of a field that is a JSON string; nil for any other value, or if the
    /// fields cannot be read.
    package func textValue(of field: String) -> String? {
        guard let fields = try? JSONText.fields(fieldsText), case .string(let text) = fields[field]
        else { return nil }
        return text
    }

    package var ownership: Ownership { Ownership(owner: owner, group: group) }
}

/// A change in a record's history.
package struct HistoryEntry: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case created, updated, deleted, resolved
        /// The change did not take effect and became an open conflict.
        case conflicted
        /// The change did not take effect.
        case discarded
        /// The record got another owner or group; its values stayed.
        case reassigned
        /// A deployment gave the record values that its definition requires. No edit conflicts
        /// with it, since nobody made it.
        case filled
    }

    package let guid: String
    /// The record's revision after the change.
    package let revision: Int64
    package let kind: Kind
    package let changeID: String
    package let login: String
    package let deviceCategory: String
    package let deviceIdentifier: String
    package let at: Instant
    /// Whether the record was deleted before the change.
    package let wasDeleted: Bool
    /// A JSON object. For a change that took effect, the values that it replaced, with null for a
    /// missing one; otherwise the values that it would have set.
    package let fieldsText: String

    package init(
        guid: String, revision: Int64, kind: Kind, changeID: String, login: String,
        deviceCategory: String, deviceIdentifier: String, at: Instant, wasDeleted: Bool,
        fieldsText: String
    ) {
        self.guid = guid
        self.revision = revision
        self.kind = kind
        self.changeID = changeID
        self.login = login
        self.deviceCategory = deviceCategory
        self.deviceIdentifier = deviceIdentifier
        self.at = at
        self.wasDeleted = wasDeleted
        self.fieldsText = fieldsText
    }
}

/// A conflict: the two sides of a record, kept until a user resolves it.
package struct StoredConflict: Hashable, Sendable {
    package let guid: String
    /// The record's revision when the conflict was opened; unique among the record's conflicts.
    package let revision: Int64
    /// The device whose change was set aside.
    package let device: DeviceKey
    /// JSON of a `RecordConflict`, with every field.
    package let text: String

    package init(guid: String, revision: Int64, device: DeviceKey, text: String) {
        self.guid = guid
        self.revision = revision
        self.device = device
        self.text = text
    }
}

/// The outcome of a change, kept so that a repetition gets the same answer.
package struct StoredOutcome: Hashable, Sendable {
    package let changeID: String
    /// JSON of an `Outcome`.
    package let text: String
    /// Whether the change has no history entry, as it was refused or had no effect. The outcome is
    /// then all that tells a later copy of the change from a new one.
    package let isTraceless: Bool

    package init(changeID: String, text: String, isTraceless: Bool = false) {
        self.changeID = changeID
        self.text = text
        self.isTraceless = isTraceless
    }
}
