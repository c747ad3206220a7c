package import AccessPolicy
import ChangeRules
package import DefinitionModel
import JSON

/// Serves one environment. All durable state is in the store; the engine holds only caches.
///
/// Each request copies it several times, on several threads, so it consists of few references.
package struct Engine: Sendable {
    private let parts: EngineParts
    private(set) var view: RulesView
    private(set) var kept: PageCache
    /// Nil if reads do not wait for each other; see `taking`.
    var turns: (any ReadTurns)?

    /// Creates an engine. `environment` must have been deployed with the definition of `rules`.
    /// `formerRules` are those of earlier versions, each once, of which cursors are known.
    /// `versions` are all versions whose clients are served, in the order of their deployment, the
    /// present one last; one that was deployed again is there again. Nil are those of the rules.
    package init(
        rules: Rules, formerly formerRules: [Rules], along versions: [Definition]? = nil,
        environment: EnvironmentState, store: any Store, seal: CursorSeal,
        naming: RecordNaming? = nil, limits: Limits = Limits()
    ) {
        let versions = versions ?? (formerRules + [rules]).map(\.definition)
        parts = EngineParts(
            rules: rules, formerRules: formerRules, environment: environment, store: store,
            seal: seal, naming: naming?.following(versions), limits: limits)
        view = RulesView(rules, clients: ClientRules(of: versions))
        kept = PageCache(maxBytes: limits.keptPageBytes)
    }

    package var rules: Rules { parts.rules }
    package var limits: Limits { parts.limits }
    package var environment: EnvironmentID { parts.environment }
    /// See `EnvironmentState.deployment`.
    var deployment: Int64 { parts.deployment }
    /// A guid that identifies the data of the environment for its whole life.
    package var instance: String { parts.instance }
    package var epochs: EpochChain { parts.epochs }
    /// The rules of earlier definitions. They determine what a client could see before a change of
    /// rights.
    var formerRules: [Rules] { parts.formerRules }
    package var seal: CursorSeal { parts.seal }
    package var store: any Store { parts.store }
    var outcomeGauges: OutcomeGauges { parts.outcomeGauges }
    package var clashMeter: ClashMeter { parts.clashMeter }
    package var historyGauge: HistoryGauge { parts.historyGauge }
    var historyReaders: HistoryReaders { parts.historyReaders }
    /// Nil if nobody counts what the engine does.
    var observer: (any EngineObserver)? { parts.observer }
    /// Nil for an engine that serves no opaque ids.
    package var naming: RecordNaming? { parts.naming }

    /// The rules by which records are read: `rules`, or for a client of another version the part
    /// of them that it knows; see `ClientEngine`.
    package var readRules: Rules { view.rules }

    /// The same engine, reading by other rules. It caches no pages: they are of all that read.
    /// - Parameter fillable: See `RulesView`.
    func reading(by readRules: Rules, fillable: [String: Set<String>]) -> Engine {
        var engine = self
        engine.view = RulesView(readRules, clients: view.clients, fillable: fillable)
        engine.kept = PageCache(maxBytes: 0)
        return engine
    }

    /// Returns the caller to whom a token belongs, with the caller's current role. Throws if the
    /// token is unknown or expired, or if the definition has no such role.
    package func identify(
        tokenHash: [UInt8], at now: Instant
    ) async throws(SyncError) -> Caller {
        let found = try await reading { () async throws(StoreError) in
            try await store.session(tokenHash: tokenHash, in: environment, at: now)
        }
        guard let open = found else {
            try await checkIsDeployed()
            throw .signIn(.tokenUnknown)
        }
        return try caller(of: open)
    }

    /// Returns the caller to whom a token belonged when this process last asked the database; nil
    /// if it does not know. Such a caller may only push: the transaction checks that nothing has
    /// changed, and otherwise fails with `presumptionOutdated`.
    package func presumedCaller(tokenHash: [UInt8], at now: Instant) -> Caller? {
        store.presumedSession(tokenHash: tokenHash, in: environment, at: now)
            .flatMap { try? caller(of: $0) }
    }

    private func caller(of open: OpenSession) throws(SyncError) -> Caller {
        // A deployment of the same definition may have changed the instance.
        guard open.moment.deployment == deployment, open.epoch == epochs.current else {
            throw .definitionChanged
        }
        try checkIsCurrent(open.fingerprint)
        let role = try role(group: open.group, deviceCategory: open.session.deviceCategory)
        return Caller(
            asker: Asker(login: open.session.login, group: open.group, role: role),
            deviceIdentifier: open.session.deviceIdentifier, isAdmin: open.isAdmin,
            moment: open.moment, presumed: open.presumed)
    }

    /// Pushes the changes, then pulls what is new, including the effects of the changes. If the
    /// request as a whole is invalid, it throws and changes nothing.
    ///
    /// `encoder` encodes the records for the wire of the caller. Encoded pages are cached for
    /// callers that ask the same through an encoder with the same name.
    ///
    /// If `isWanted` becomes false while the changes are decided, the request is cancelled: none
    /// of them takes effect.
    package func sync(
        _ request: PushPull, encoder: any RecordEncoder, from caller: Caller, at now: Instant,
        whileWanted isWanted: (@Sendable () -> Bool)? = nil
    ) async throws(SyncError) -> SyncAnswer {
        let start = try checkedStart(of: request, from: caller)
        try checkSize(of: request)
        let mayPull = !request.changes.isEmpty || !start.isUpToDate(with: caller)
        let pushed = try await push(
            request.changes, prepared: request.prepared, acknowledging: request.acknowledged,
            seen: start.seenSequence,
            reading: mayPull ? firstRequest(from: start, limit: request.limit) : nil,
            forgettingAfter: request.outcomeSeconds, from: caller, at: now,
            whileWanted: isWanted)
        let outcomes = pushed.outcomes
        if outcomes.isEmpty, let cursor = request.cursor, start.isUpToDate(with: caller) {
            return SyncAnswer(
                outcomes: [], records: .shown(ShownRecords()), dropped: [], cursor: cursor,
                hasMore: false, isResync: false)
        }
        let (pulled, isResync) = try await pull(
            from: start, to: caller, request, beginningWith: pushed.page,
            keeping: outcomes.isEmpty ? PageKeeping(encoder: encoder, now: now) : nil)
        return SyncAnswer(
            outcomes: outcomes, records: pulled.records, dropped: pulled.dropped,
            cursor: try token(
                of: pulled.cursor,
                // Its own changes may be anywhere beyond the position.
                knowing: outcomes.isEmpty || !pulled.hasMore ? caller.sequence : .max),
            hasMore: pulled.hasMore, isResync: isResync)
    }

    /// A presumed caller may know less than the cursor, or than the database.
    private func checkedStart(
        of request: PushPull, from caller: Caller
    ) throws(SyncError) -> PullPosition {
        guard caller.presumed != nil else { return try start(at: request.cursor, from: caller) }
        guard !request.changes.isEmpty, request.cursor != nil,
            let start = try? start(at: request.cursor, from: caller), !start.isResync
        else { throw .store(.presumptionOutdated) }
        return start
    }

    /// Pulls, and starts over if a purge interferes.
    private func pull(
        from start: PullPosition, to caller: Caller, _ request: PushPull,
        beginningWith page: Page?, keeping: PageKeeping?
    ) async throws(SyncError) -> (PulledRecords, isResync: Bool) {
        var (start, page) = (start, page)
        while true {
            switch try await pull(
                from: start, to: caller, limit: request.limit, beginningWith: page, keeping: keeping
            )
            {
            case .pulled(let pulled): return (pulled, start.isResync)
            case .purged(let purgeHorizon):
                page = nil
                start = startingOver(for: caller, at: purgeHorizon, isResync: request.cursor != nil)
            }
        }
    }

    /// Seals the cursor of a client that knows of no change after a sequence.
    package func token(
        of cursor: Cursor, knowing sequence: Int64
    ) throws(SyncError) -> String {
        var cursor = cursor
        cursor.epoch = epochs.current
        cursor.known = max(cursor.latest, sequence)
        return try token(of: cursor)
    }

    /// Seals a cursor: see `CursorSeal`.
    package func token(of cursor: some Encodable) throws(SyncError) -> String {
        do {
            return try seal.token(of: cursor)
        } catch {
            throw .store(error)
        }
    }

    /// Throws `definitionChanged` if the environment was removed, renamed or deployed again. For
    /// calls that find nothing of the environment.
    package func checkIsDeployed() async throws(SyncError) {
        let present = try await reading { () async throws(StoreError) in
            try await store.environments()
        }
        guard present.contains(where: { $0.deployment == deployment }) else {
            throw .definitionChanged
        }
    }

    /// Throws `definitionChanged` if another definition was deployed since this engine was loaded.
    package func checkIsCurrent(_ fingerprint: String) throws(SyncError) {
        guard isCurrent(fingerprint) else { throw .definitionChanged }
    }

    /// Whether a definition is the one that the engine serves, by its fingerprint.
    package func isCurrent(_ fingerprint: String) -> Bool {
        fingerprint == rules.definition.fingerprint
    }

    /// Returns the role of a group on a device category. Throws `roleUnknown` if the definition
    /// has no such role.
    package func role(group: String, deviceCategory: String) throws(SyncError) -> Role {
        let role = Role(group: group, deviceCategory: deviceCategory)
        guard rules.hasRole(role) else {
            throw .signIn(
                .roleUnknown(
                    group: group, deviceCategory: deviceCategory,
                    known: rules.definition.roles.map(\.name)))
        }
        return role
    }

    /// Runs a call of the store and converts its error.
    package func reading<Value: Sendable>(
        _ call: () async throws(StoreError) -> Value
    ) async throws(SyncError) -> Value {
        do {
            return try await call()
        } catch {
            throw .store(error)
        }
    }

    func checkSize(of request: PushPull) throws(SyncError) {
        guard request.changes.count <= limits.changes else {
            throw .tooManyChanges(count: request.changes.count, max: limits.changes)
        }
        guard request.acknowledged.count <= limits.changes else {
            throw .tooManyAcknowledged(count: request.acknowledged.count, max: limits.changes)
        }
        _ = try pageLimit(request.limit)
    }

    /// Returns the number of records that an answer may have. Throws if `limit` is out of range.
    package func pageLimit(_ limit: Int?) throws(SyncError) -> Int {
        guard let limit else { return limits.defaultPageRecords }
        guard (1...limits.pageRecords).contains(limit) else {
            throw .limitOutOfRange(given: limit, max: limits.pageRecords)
        }
        return limit
    }
}

/// A signed-in user on a device.
package struct Caller: Hashable, Sendable {
    package let asker: Asker
    package let deviceIdentifier: String
    package let isAdmin: Bool
    /// The state of the environment when the caller was identified.
    package let moment: EnvironmentMoment
    /// Nil for a caller who was identified by the database: see `OpenSession.presumed`.
    let presumed: AccountsVersion?

    package init(
        asker: Asker, deviceIdentifier: String, isAdmin: Bool, moment: EnvironmentMoment,
        presumed: AccountsVersion? = nil
    ) {
        self.presumed = presumed
        self.asker = asker
        self.deviceIdentifier = deviceIdentifier
        self.isAdmin = isAdmin
        self.moment = moment
    }

    package var login: String { asker.login }
    package var group: String { asker.group }
    package var roleName: String { asker.role.name }

    /// The sequence of the last committed change.
    package var sequence: Int64 { moment.sequence }
    /// Tombstones up to this sequence may have been purged.
    var purgeHorizon: Int64 { moment.purgeHorizon }

    package var device: DeviceKey {
        DeviceKey(login: asker.login, deviceIdentifier: deviceIdentifier)
    }
}
