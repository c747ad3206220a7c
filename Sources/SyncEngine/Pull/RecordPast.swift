package import AccessPolicy

/// The sequences of a record's creation and last change, and its ownership changes.
package struct RecordPast: Hashable, Sendable {
    /// Sequence of the creation; 0 if it was not recorded.
    package let created: Int64
    /// Sequence of the last change.
    package let lastChanged: Int64
    /// Ownership changes after the requested sequence, oldest first.
    package let ownershipChanges: [OwnershipChange]

    package init(created: Int64, lastChanged: Int64, ownershipChanges: [OwnershipChange]) {
        self.created = created
        self.lastChanged = lastChanged
        self.ownershipChanges = ownershipChanges
    }

    /// Returns the ownerships that were in effect at or before `last` and also after `first`.
    ///
    /// During a first sync `first` is later than `last`: records that had not changed since `last`
    /// were sent after `first`. `first` must not be before the requested sequence of
    /// `ownershipChanges`. `now` is the present ownership.
    func ownerships(from first: Int64, through last: Int64, now: Ownership) -> [Ownership] {
        guard created <= last else { return [] }
        let ends = ownershipChanges.map(\.sequence) + [.max]
        let starts = [0] + ownershipChanges.map(\.sequence)
        let ownerships = ownershipChanges.map(\.former) + [now]
        return zip(zip(starts, ends), ownerships).compactMap { span, ownership in
            span.0 <= last && span.1 > first ? ownership : nil
        }
    }
}

/// A change of a record's owner or group.
package struct OwnershipChange: Hashable, Sendable {
    package let sequence: Int64
    /// The record's revision after the change.
    package let revision: Int64
    /// Owner and group before the change.
    package let owner: String
    package let group: String

    package init(sequence: Int64, revision: Int64, owner: String, group: String) {
        self.sequence = sequence
        self.revision = revision
        self.owner = owner
        self.group = group
    }

    /// The ownership before the change.
    package var former: Ownership { Ownership(owner: owner, group: group) }
}
