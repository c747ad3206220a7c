import SyncEngine

/// The reads of one request, in the memory budget of the process.
struct RequestReads: ReadMemory {
    let connection: ConnectionState

    /// Half of a user's share, as for `ConnectionContext.hold`.
    var mostBytes: Int { connection.maxBytes / 2 }

    func take(_ bytes: Int) throws(StoreError) {
        do throws(MemoryShortage) {
            try connection.take(bytes)
        } catch {
            throw .memoryFull(isOwn: error == .ofOwner)
        }
    }

    func give(_ bytes: Int) { connection.give(bytes) }
}
