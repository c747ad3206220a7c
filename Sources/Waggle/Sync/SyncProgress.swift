/// How far a sync is.
public enum SyncProgress: Hashable, Sendable {
    case started
    /// A request goes out with so many changes.
    case sending(changes: Int)
    /// So many records came, since it started.
    case received(records: Int)
    case finished(SyncSummary)
    case failed(SyncFailure)
}
