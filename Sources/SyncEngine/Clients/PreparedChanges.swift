package import ChangeRules
import VersionTranslation

/// Changes of a client that knows no versions, checked before they are pushed; see
/// `WordedEngine.prepared`.
package struct PreparedChanges: Sendable {
    /// In the words of the client.
    let own: [Change]
    /// In the words of the served version.
    let served: [Change]
    /// The batch that `served` makes.
    let batch: PreparedBatch
}

extension WordedEngine {
    /// Translates changes and checks them as far as possible before anything is read. That takes
    /// time only: a server does it on threads of its own where it can take long.
    ///
    /// Throws if they cannot be decided together: `tooManyChanges`, `tooMuchToMatch`. `isWanted` is
    /// asked between changes; if it is false, throws `cancelled`.
    package func prepared(
        _ changes: [Change], by caller: Caller, at now: Instant,
        whileWanted isWanted: @escaping @Sendable () -> Bool
    ) throws(SyncError) -> PreparedChanges {
        try engine.checkSize(of: PushPull(changes: changes))
        let served = translation.map { changes.map($0.served) } ?? changes
        return PreparedChanges(
            own: changes, served: served,
            batch: try PreparedBatch(
                served, by: engine.author(caller, at: now), under: engine.rules,
                whileWanted: isWanted))
    }
}
