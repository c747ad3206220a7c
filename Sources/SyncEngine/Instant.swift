/// A point in time. Times are informational: they neither order changes nor decide conflicts.
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
