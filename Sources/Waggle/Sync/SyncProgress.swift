/// An event of a sync.
public enum SyncProgress: Hashable, Sendable {
    /// A sync began.
    case started
    /// A request goes out with so many changes.
    case sending(changes: Int)
    /// So many bytes of the contents of a file, named by its guid, have gone out.
    case uploading(file: String, bytes: Int64, of: Int64)
    /// So many bytes of the contents of a file, named by its guid, have come in.
    case downloading(file: String, bytes: Int64, of: Int64)
    /// So many records have come since the sync began.
    case received(records: Int)
    /// The sync ended.
    case finished(SyncSummary)
    /// The sync failed.
    case failed(SyncFailure)
}
