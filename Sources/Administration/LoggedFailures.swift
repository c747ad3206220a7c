package import SyncEngine

/// The wrong passwords of operators that were logged: the first one of a row, and one for each hour
/// that it lasts.
package struct LoggedFailures: Sendable {
    private var times: [String: Instant] = [:]

    private static let quietSeconds: Int64 = 3600

    package init() {}

    /// Whether a failure of an operator is to be logged, which then counts as done.
    package mutating func isDue(_ name: String, at now: Instant) -> Bool {
        if let last = times[name], now.seconds(since: last) < Self.quietSeconds { return false }
        times[name] = now
        return true
    }

    /// Ends a row: the operator has signed in.
    package mutating func end(_ name: String) { times[name] = nil }
}
