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

    /// Whose the record was between two sequences, the first not before the one that was asked for.
    /// `now` is whose it is.
    func ownerships(from first: Int64, through last: Int64, now: Ownership) -> [Ownership] {
        guard created <= last, first <= last else { return [] }
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
