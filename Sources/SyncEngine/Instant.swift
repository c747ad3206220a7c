/// A point in time.
///
/// Revisions and sequences order changes and decide conflicts, not times. Clients of other wires
/// know the stamps of changes in place of sequences, and sessions and outcomes expire.
package struct Instant: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970 in UTC.
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package static func < (left: Instant, right: Instant) -> Bool {
        left.milliseconds < right.milliseconds
    }

    package func adding(seconds: Int64) -> Instant {
        Instant(milliseconds: milliseconds + seconds * 1000)
    }

    /// Returns the whole seconds from another moment to this one, rounded up.
    package func seconds(since other: Instant) -> Int64 {
        (milliseconds - other.milliseconds + 999) / 1000
    }
}
