package import SyncEngine

/// The part of a store that keeps what was refused. Every call is one transaction, as in `Store`.
/// The list outlives its users: it may be all that is left of their work.
package protocol RefusalStore: Sendable {
    /// Adds refusals of one user to the list, and returns those that were added: one that is there
    /// already, with the same device, record, content and causes, is not added again. Adds nothing
    /// and returns nil if the user's list would exceed the limits.
    func keep(
        _ refusals: [RefusedInput], of login: String, in environment: EnvironmentID,
        at now: Instant,
        limits: RefusalLimits
    ) async throws(StoreError) -> [RefusedInput]?

    /// Returns the first refusals after a number, in the order of their numbers.
    func refusals(
        in environment: EnvironmentID, after number: Int64, limit: Int
    ) async throws(StoreError) -> [StoredRefusal]

    /// Removes refusals by their numbers. Returns how many there were.
    func removeRefusals(
        _ numbers: [Int64], in environment: EnvironmentID
    ) async throws(StoreError) -> Int

    /// Removes refusals from before the request's time, at most its limit. Returns their number.
    func sweepRefusals(_ request: SweepRequest) async throws(StoreError) -> Int
}

/// The limits of one user's refusals.
package struct RefusalLimits: Hashable, Sendable {
    package let count: Int
    package let bytes: Int

    package init(count: Int, bytes: Int) {
        self.count = count
        self.bytes = bytes
    }
}
