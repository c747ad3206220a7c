import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import VersionTranslation

/// The position at which a pull starts.
package struct PullPosition: Sendable {
    package let cursor: Cursor
    /// Whether the client must start over.
    package let isResync: Bool
    /// The client's view before its rights changed; nil unless the pull reports such a change.
    package let previousPolicy: PreviousReadPolicy?

    package init(cursor: Cursor, isResync: Bool, previousPolicy: PreviousReadPolicy?) {
        self.cursor = cursor
        self.isResync = isResync
        self.previousPolicy = previousPolicy
    }

    /// Whether nothing has changed since the client's last pull, as of the caller's identification.
    /// Then nothing is read, and the client's cursor stays.
    func isUpToDate(with caller: Caller) -> Bool {
        switch cursor.phase {
        case .following: !isResync && cursor.position == caller.sequence
        case .starting, .changing: false
        }
    }

    /// The client has seen every change up to this sequence, as far as its rights allow.
    var seenSequence: Int64 {
        switch cursor.phase {
        case .following, .starting: cursor.position
        case .changing(_, _, let until): max(cursor.position, until)
        }
    }
}

extension Engine {
    /// Continues at the cursor. After a change of rights the pull scans all records again and
    /// returns only those that look different now; if the difference is not known, it starts over.
    ///
    /// Throws `cursorUnreadable` or `cursorForeign`.
    package func start(at token: String?, from caller: Caller) throws(SyncError) -> PullPosition {
        guard let token else {
            return startingOver(for: caller, at: caller.sequence, isResync: false)
        }
        guard let cursor = seal.value(of: token, as: Cursor.self) else { throw .cursorUnreadable }
        guard isOfPast(cursor, of: caller) else { throw .cursorForeign }
        let next = following(cursor, under: rights(of: caller))
        guard let next, next.needsTombstonesAfter >= caller.purgeHorizon,
            let previous = previousPolicy(of: next)
        else { return startingOver(for: caller, at: caller.sequence, isResync: true) }
        return PullPosition(cursor: next, isResync: false, previousPolicy: previous.value)
    }

    /// Whether everything that a client knew when it got the cursor is still so. It is not if the
    /// cursor is of another database, or from the future of a restored one.
    package func isOfPast(_ cursor: Cursor, of caller: Caller) -> Bool {
        let known = max(cursor.known, cursor.latest)
        return cursor.instance == instance && cursor.latest <= caller.sequence
            && (known == .max || known <= caller.sequence)
            && epochs.contains(known, knownIn: cursor.epoch)
    }

    /// Returns the start for a client that reads everything again. It is told only of deletions
    /// after `sequence`.
    package func startingOver(
        for caller: Caller, at sequence: Int64, isResync: Bool
    ) -> PullPosition {
        PullPosition(
            cursor: Cursor(
                instance: instance, position: 0, rights: rights(of: caller),
                phase: .starting(at: sequence)),
            isResync: isResync, previousPolicy: nil)
    }

    /// Returns the start for a client that may hold any state of any record.
    package func startFromNothingConfirmed(for caller: Caller) -> PullPosition {
        let cursor = Cursor(
            instance: instance, position: 0, rights: rights(of: caller),
            phase: .following(since: 0))
        guard caller.purgeHorizon == 0 else {
            return startingOver(for: caller, at: caller.sequence, isResync: true)
        }
        return PullPosition(cursor: cursor, isResync: false, previousPolicy: nil)
    }

    private func rights(of caller: Caller) -> Rights {
        Rights(of: caller.asker, fingerprint: view.fingerprint)
    }

    /// Returns nil if the client must start over: the rights are another user's, or they changed
    /// before the client had finished a first pull or an earlier change of rights.
    private func following(_ cursor: Cursor, under rights: Rights) -> Cursor? {
        guard cursor.rights != rights else { return cursor }
        guard case .following(let since) = cursor.phase,
            cursor.rights.login.hasSameBytes(as: rights.login)
        else { return nil }
        return Cursor(
            instance: instance, position: 0, rights: rights,
            phase: .changing(from: cursor.rights, since: since, until: cursor.position))
    }

    /// Returns nil if the cursor needs a definition that is no longer known.
    private func previousPolicy(of cursor: Cursor) -> Found<PreviousReadPolicy>? {
        guard case .changing(let rights, _, _) = cursor.phase else { return Found(value: nil) }
        return rules(ofVersion: rights.fingerprint).map {
            Found(value: previousPolicy(of: rights, under: $0))
        }
    }

    /// Returns the policy of rights under the rules of their version, for what this engine reads
    /// now.
    package func previousPolicy(of rights: Rights, under former: Rules) -> PreviousReadPolicy {
        let (client, served) = (rights.fingerprint, rules.definition.fingerprint)
        let version = ClientTranslation.names(in: client)?.served ?? client
        return PreviousReadPolicy(
            of: rights, under: former, now: readRules,
            following: version == served
                ? nil : view.clients.translation(ofClient: version),
            keeping: view.clients.words(
                heldOf: former.definition.fingerprint, by: view.fingerprint))
    }

    /// Returns the rules of the present definition or an earlier one, or what clients of a version
    /// know of them, by the fingerprint; nil if it is unknown.
    package func rules(ofVersion fingerprint: String) -> Rules? {
        if fingerprint == view.fingerprint { return view.rules }
        if isCurrent(fingerprint) { return rules }
        return formerRules.first { $0.definition.fingerprint == fingerprint }
            ?? view.clients.rules(heldOf: fingerprint, by: view.fingerprint)
    }
}

/// The result of a successful lookup, which may be nil.
private struct Found<Value> {
    let value: Value?
}
