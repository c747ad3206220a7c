/// An event of a sync.
public enum SyncProgress: Hashable, Sendable {
    /// A sync began.
    case started
    /// A request with this number of changes is sent.
    case sending(changes: Int)
    /// The bytes of a file that have been uploaded, of all its bytes. `file` is its guid.
    case uploading(file: String, bytes: Int64, of: Int64)
    /// The bytes of a file that have been downloaded, of all its bytes. `file` is its guid.
    case downloading(file: String, bytes: Int64, of: Int64)
    /// The number of records received since the sync began.
    case received(records: Int)
    /// The sync ended.
    case finished(SyncSummary)
    /// The sync failed.
    case failed(SyncFailure)
}
