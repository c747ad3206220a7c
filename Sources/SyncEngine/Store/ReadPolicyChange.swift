/// A moment since which records look different to somebody although they did not change: a user
/// got another group or left, or the environment got another definition.
///
/// Clients that know a time in place of a cursor have passed the stamps of these records. A store
/// therefore keeps twice as many stamps free after the moment as the environment had sequences. In
/// the first half, a record gets a second stamp by its sequence, for the users to whom it looks
/// different. In the second half, a record that has changed since gets a stamp by the sequence of
/// its creation. Writing the records again would send them to all other devices too.
package struct ReadPolicyChange: Hashable, Sendable {
    /// The last stamp of a change before the moment.
    package let stamp: Instant
    /// The sequence of that change, at least 1.
    package let sequence: Int64
    package let former: Former

    package enum Former: Hashable, Sendable {
        /// The group of a user until then.
        case group(String)
        /// The fingerprint of the definition until then.
        case definition(String)
    }

    package init(stamp: Instant, sequence: Int64, former: Former) {
        self.stamp = stamp
        self.sequence = sequence
        self.former = former
    }

    /// The same from a row, in which the login is empty for a definition.
    package init(stamp: Instant, sequence: Int64, login: String, former: String) {
        self.init(
            stamp: stamp, sequence: sequence,
            former: login.isEmpty ? .definition(former) : .group(former))
    }

    /// The last stamp that is kept free.
    package var lastStamp: Instant { stamp(ofCreation: sequence) }

    /// The second stamp of a record that did not change since. The sequence is that of its last
    /// change.
    package func stamp(ofSequence sequence: Int64) -> Instant {
        Instant(milliseconds: stamp.milliseconds + sequence)
    }

    /// The second stamp of a record that has changed since. The sequence is that of its creation.
    package func stamp(ofCreation created: Int64) -> Instant {
        Instant(milliseconds: stamp.milliseconds + sequence + created)
    }

    /// The highest sequence whose second stamp is not later than a stamp; 0 for an earlier one.
    package func sequence(atStamp stamp: Instant) -> Int64 {
        max(0, min(sequence, stamp.milliseconds - self.stamp.milliseconds))
    }

    /// The same for the sequence of a creation.
    package func creation(atStamp stamp: Instant) -> Int64 {
        max(0, stamp.milliseconds - self.stamp.milliseconds - sequence)
    }
}
