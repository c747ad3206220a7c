import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON

/// Where a pull begins.
struct PullStart {
    let cursor: Cursor
    /// The client has to begin anew.
    let isResync: Bool
    /// What it could see before its rights changed, while it is told what that means.
    let formerSight: FormerSight?

    /// Whether nothing has changed since the client asked last, as it was when the caller was
    /// identified: then nothing needs to be read, and the client's cursor stays.
    func isUpToDate(with caller: Caller) -> Bool {
        switch cursor.phase {
        case .following: !isResync && cursor.position == caller.sequence
        case .starting, .changing: false
        }
    }

    /// What changed up to here the client has seen, as far as it may.
    var seenSequence: Int64 {
        switch cursor.phase {
        case .following, .starting: cursor.position
        case .changing(_, _, let until): max(cursor.position, until)
        }
    }
}

extension Engine {
    /// Goes on where the cursor ends. After a change of rights the pull goes over everything once
    /// more, and gives only what looks different now; where that cannot be told, it begins anew.
    func start(at token: String?, from caller: Caller) throws(SyncError) -> PullStart {
        guard let token else {
            return startingOver(for: caller, at: caller.sequence, isResync: false)
        }
        guard let cursor = seal.value(of: token, as: Cursor.self) else { throw .cursorUnreadable }
        guard cursor.instance == instance, cursor.position <= caller.sequence else {
            throw .cursorForeign
        }
        let next = following(cursor, under: rights(of: caller))
        guard let next, next.needsTombstonesAfter >= caller.horizon,
            let sight = formerSight(of: next)
        else { return startingOver(for: caller, at: caller.sequence, isResync: true) }
        return PullStart(cursor: next, isResync: false, formerSight: sight.value)
    }

    func startingOver(for caller: Caller, at sequence: Int64, isResync: Bool) -> PullStart {
        PullStart(
            cursor: Cursor(
                instance: instance, position: 0, rights: rights(of: caller),
                phase: .starting(at: sequence)),
            isResync: isResync, formerSight: nil)
    }

    /// For a client that may hold any state of any record.
    func startFromNothingConfirmed(for caller: Caller) -> PullStart {
        let cursor = Cursor(
            instance: instance, position: 0, rights: rights(of: caller),
            phase: .following(since: 0))
        guard caller.horizon == 0 else {
            return startingOver(for: caller, at: caller.sequence, isResync: true)
        }
        return PullStart(cursor: cursor, isResync: false, formerSight: nil)
    }

    private func rights(of caller: Caller) -> Rights {
        Rights(of: caller.asker, fingerprint: rules.definition.fingerprint)
    }

    /// Nil when the rights have changed in a way, or at a moment, that only beginning anew mends:
    /// for somebody else, or before the client was through with an earlier beginning or change.
    private func following(_ cursor: Cursor, under rights: Rights) -> Cursor? {
        guard cursor.rights != rights else { return cursor }
        guard case .following(let since) = cursor.phase,
            cursor.rights.login.hasSameBytes(as: rights.login)
        else { return nil }
        return Cursor(
            instance: instance, position: 0, rights: rights,
            phase: .changing(from: cursor.rights, since: since, until: cursor.position))
    }

    /// Nil when the cursor needs one of a definition that is not known any more.
    private func formerSight(of cursor: Cursor) -> Found<FormerSight>? {
        guard case .changing(let rights, _, _) = cursor.phase else { return Found(value: nil) }
        return rules(ofVersion: rights.fingerprint).map {
            Found(value: FormerSight(of: rights, under: $0, now: rules))
        }
    }

    func rules(ofVersion fingerprint: String) -> Rules? {
        isCurrent(fingerprint)
            ? rules : formerRules.first { $0.definition.fingerprint == fingerprint }
    }
}

/// What was looked for and found, which may be that there is none.
private struct Found<Value> {
    let value: Value?
}
