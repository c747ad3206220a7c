import ChangeRules

/// The changes of a push, checked as far as possible before anything is read. That takes time only:
/// a server does it on threads of its own where it can take long.
package struct PreparedBatch: Sendable {
    let changes: [PreparedChange]

    /// Throws `tooMuchToMatch` if the texts of several changes need too many steps to match their
    /// patterns. `isWanted` is asked between changes; if it is false, throws `cancelled`.
    init(
        _ batch: [Change], by author: Author, under rules: Rules,
        whileWanted isWanted: (@Sendable () -> Bool)? = nil
    ) throws(SyncError) {
        var changes: [PreparedChange] = []
        changes.reserveCapacity(batch.count)
        var patternSteps = 0
        for change in batch {
            changes.append(
                PreparedChange(
                    author.completed(change, under: rules), by: author, under: rules,
                    patternSteps: &patternSteps))
            guard patternSteps <= author.limits.patternSteps || batch.count == 1 else {
                throw .tooMuchToMatch
            }
            guard patternSteps == 0 || isWanted?() ?? true else { throw .store(.cancelled) }
        }
        self.changes = changes
    }
}

extension Engine {
    /// Checks the changes of a request before `sync`, which otherwise does the same. Throws if they
    /// cannot be decided together: `tooManyChanges`, `tooMuchToMatch`.
    package func prepared(
        _ request: PushPull, from caller: Caller, at now: Instant,
        whileWanted isWanted: @escaping @Sendable () -> Bool
    ) throws(SyncError) -> PushPull {
        try checkSize(of: request)
        var request = request
        request.prepared = try PreparedBatch(
            request.changes, by: author(caller, at: now), under: rules, whileWanted: isWanted)
        return request
    }

    func author(_ caller: Caller, at now: Instant) -> Author {
        Author(
            asker: caller.asker, deviceIdentifier: caller.deviceIdentifier, now: now,
            limits: limits, naming: naming, fillable: view.fillable)
    }
}
