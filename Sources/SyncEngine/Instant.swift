/// A moment, for people to read: nothing is ordered by it and nobody wins by it.
package struct Instant: Hashable, Comparable, Sendable {
    /// Since 1970 in UTC.
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

    /// Whole seconds from the other moment to this one, rounded up.
    package func seconds(since other: Instant) -> Int64 {
        (milliseconds - other.milliseconds + 999) / 1000
    }
}
