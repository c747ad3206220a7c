/// The epochs of an environment: the times between which it may have been restored to an earlier
/// state.
///
/// An epoch begins with each start of a server, and ends at the sequence that the next one finds. A
/// cursor names its epoch. After a restore, a cursor of the lost future is of an epoch that the
/// database does not know, or of one that ended before what the cursor's client knows.
package struct EpochChain: Hashable, Sendable {
    /// A random number; 0 before the first start.
    package let current: Int64
    /// By the number of the epoch.
    private let ends: [Int64: EpochEnd]

    /// - Parameter ended: The latest ones; older ones need not be known.
    package init(current: Int64 = 0, ended: [EpochEnd] = []) {
        self.current = current
        ends = Dictionary(ended.map { ($0.epoch, $0) }, uniquingKeysWith: { _, later in later })
    }

    /// Whether the state of a sequence, as a client knew it in an epoch, is part of the database's
    /// past.
    func contains(_ sequence: Int64, knownIn epoch: Int64) -> Bool {
        epoch == current || ends[epoch].map { sequence <= $0.sequence } ?? false
    }

    /// The same for the number of a notification.
    package func contains(notification: Int64, knownIn epoch: Int64) -> Bool {
        epoch == current || ends[epoch].map { notification <= $0.notification } ?? false
    }

    /// The number of ended epochs that a store keeps for an environment. Cursors of earlier ones
    /// are refused.
    package static let maxEnded = 10_000
    /// A store adds this to the environment's counter of accounts at the begin of an epoch, so that
    /// no session that a process has cached is taken for valid.
    package static let accountsStep: Int64 = 1 << 20
}

/// The end of an epoch.
package struct EpochEnd: Hashable, Sendable {
    package let epoch: Int64
    /// The sequence of the last change.
    package let sequence: Int64
    /// The number of the last notification.
    package let notification: Int64

    package init(epoch: Int64, sequence: Int64, notification: Int64) {
        self.epoch = epoch
        self.sequence = sequence
        self.notification = notification
    }
}
