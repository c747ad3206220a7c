import AccessPolicy

/// When a record came to be what it is, and whose it was.
package struct RecordPast: Hashable, Sendable {
    /// Of its creation; 0 where that was not noted.
    package let created: Int64
    /// Of its last change.
    package let lastChanged: Int64
    /// Those after the sequence that was asked for, oldest first.
    package let moves: [OwnershipMove]

    package init(created: Int64, lastChanged: Int64, moves: [OwnershipMove]) {
        self.created = created
        self.lastChanged = lastChanged
        self.moves = moves
    }

    /// Whose the record was at any time after the first sequence, of what it was at the last one or
    /// before. In the midst of a first sync the first one is the later: what had not changed since
    /// the last one was handed out after the first. It is not before the one that was asked for;
    /// `now` is whose the record is.
    func ownerships(from first: Int64, through last: Int64, now: Ownership) -> [Ownership] {
        guard created <= last else { return [] }
        let ends = moves.map(\.sequence) + [.max]
        let starts = [0] + moves.map(\.sequence)
        let ownerships = moves.map(\.former) + [now]
        return zip(zip(starts, ends), ownerships).compactMap { span, ownership in
            span.0 <= last && span.1 > first ? ownership : nil
        }
    }
}

/// That a record got another owner or group.
package struct OwnershipMove: Hashable, Sendable {
    package let sequence: Int64
    /// The record's after it.
    package let revision: Int64
    /// Whose it was before.
    package let owner: String
    package let group: String

    package init(sequence: Int64, revision: Int64, owner: String, group: String) {
        self.sequence = sequence
        self.revision = revision
        self.owner = owner
        self.group = group
    }

    var former: Ownership { Ownership(owner: owner, group: group) }
}
