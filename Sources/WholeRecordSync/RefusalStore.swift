package import SyncEngine

/// The part of a store that keeps what was refused. Every call is one transaction, as in `Store`.
/// The list outlives its users: it may be all that is left of their work.
package protocol RefusalStore: Sendable {
    /// Adds refusals of one user to the list, and returns those that were added: one that is there
    /// already, with the same device, record, content, causes and contents, is not added again.
    /// Adds nothing and returns nil if the user's list would exceed the limits. The `BlobStore`
    /// keeps the contents of what is in the list.
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
    /// The sum of the sizes of their `contents`.
    package let contentBytes: Int64

    package init(count: Int, bytes: Int, contentBytes: Int64) {
        self.count = count
        self.bytes = bytes
        self.contentBytes = contentBytes
    }
}

/// The size of one user's refusals.
package struct RefusalTotal: Hashable, Sendable {
    package var count: Int
    package var bytes: Int
    package var contentBytes: Int64

    package init(count: Int, bytes: Int, contentBytes: Int64) {
        self.count = count
        self.bytes = bytes
        self.contentBytes = contentBytes
    }

    /// Whether there is room for more.
    package func hasRoom(for more: [RefusedInput], within limits: RefusalLimits) -> Bool {
        let contents = more.reduce(contentBytes) { $0 + ($1.contents?.size ?? 0) }
        return count + more.count <= limits.count
            && more.reduce(bytes) { $0 + $1.bytes } <= limits.bytes
            && contents <= limits.contentBytes
    }
}
