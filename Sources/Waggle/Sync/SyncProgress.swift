/// How far a sync is.
public enum SyncProgress: Hashable, Sendable {
    case started
    /// A request goes out with so many changes.
    case sending(changes: Int)
    /// So much of a file's contents has gone out, or come in.
    case uploading(file: String, bytes: Int64, of: Int64)
    case downloading(file: String, bytes: Int64, of: Int64)
    /// So many records came, since it started.
    case received(records: Int)
    case finished(SyncSummary)
    case failed(SyncFailure)
}
