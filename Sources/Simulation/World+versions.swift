import DefinitionModel
import SyncEngine
import SyncProtocol

// Versions of the definition, and apps of them.

extension World {
    /// The rules by which a device decides what its user may do.
    func rules(on client: Client) -> Rules {
        if scenario.evolves, let app = client.app { return app.rules }
        return server.versions[client.session?.version ?? 0]
    }

    /// The app of a device that uses the words of its own version for everything. Where the
    /// definition does not change, only syncs do so.
    func ownApp(of client: Int) -> AppVersion? { scenario.evolves ? clients[client].app : nil }

    /// An earlier app is replaced by that of now. Where the definition changes, requests of the
    /// earlier one may still arrive.
    mutating func update(_ client: Int) async throws(InvariantViolation) {
        forgetMessages(of: client, keepingRequests: scenario.evolves)
        guard scenario.evolves else {
            clients[client].app = nil
            return
        }
        // An app that is ahead is not replaced by an earlier one.
        let version = clients[client].app?.definition.fingerprint
        guard server.deployed.contains(where: { $0.definition.fingerprint == version }) else {
            return
        }
        try await update(client, to: server.present)
    }

    /// Does nothing if no version is prepared.
    mutating func updateAhead(_ client: Int) async throws(InvariantViolation) {
        guard let prepared = server.evolution?.prepared else { return }
        forgetMessages(of: client, keepingRequests: true)
        try await update(client, to: prepared.version)
    }

    private mutating func update(
        _ client: Int, to version: AppVersion
    ) async throws(InvariantViolation) {
        if realClients[client] != nil, let app = clients[client].app {
            guard version.follows(app) else { return }
        }
        if !clients[client].waiting.isEmpty {
            auditor.counts.updates += 1
            auditor.counts.leaps += isLeap(to: version, by: clients[client].app) ? 1 : 0
        }
        clients[client].update(to: version, keeping: scenario.mutation.updated)
        guard let real = realClients[client] else { return }
        try await update(client, to: version, on: real)
    }

    /// Whether the app misses a version in between.
    private func isLeap(to version: AppVersion, by app: AppVersion?) -> Bool {
        let place = { (version: AppVersion?) in
            server.deployed.lastIndex {
                $0.definition.fingerprint == version?.definition.fingerprint
            } ?? server.deployed.count
        }
        return place(version) > place(app) + 1
    }

    mutating func replaceDevice(_ client: Int) async throws(InvariantViolation) {
        guard scenario.evolves else { return }
        forgetMessages(of: client)
        let former = clients[client].participant
        clients[client] = Client(
            number: client,
            participant: Participant(
                login: former.login, group: former.group, deviceCategory: former.deviceCategory,
                deviceIdentifier: former.deviceIdentifier + "-new"),
            shadowsRealClient: clients[client].shadowsRealClient)
        clients[client].app = server.present
        try await replaceRealClient(client)
    }

    /// Does nothing without a version, or if what is stored stands against it.
    mutating func deploy(_ version: EvolvingDefinition?) async throws(InvariantViolation) {
        guard let version else { return }
        dropLateAnswers()
        try await auditor.readChanges()
        let app = version.version
        let isAgain = server.deployed.contains {
            $0.definition.fingerprint == app.definition.fingerprint
        }
        var isDeployed = false
        try await administering { server throws in
            isDeployed = try await server.deploy(app)
        }
        guard isDeployed else { return }
        auditor.counts.versions += 1
        auditor.counts.returns += isAgain ? 1 : 0
        server.evolution?.note(deployed: version)
        noteDeployment()
        // Records of a model that comes back have stamps that a reader has passed.
        follower = StampFollower()
    }

    mutating func noteDeployment() {
        if server.versions.count > auditor.versions.count { auditor.note(server.present) }
    }

    /// Audits where a device begins to read, and remembers where it may continue.
    mutating func auditPoint(
        of response: SyncResponse, to request: SyncRequest, from client: Int, in group: String,
        with app: AppVersion?
    ) throws(InvariantViolation) {
        let now = ReadingPoint(
            app: app, group: group, deployments: server.versions.count, sweeps: sweeps)
        if let cursor = request.cursor, let then = points[cursor] {
            let isPresent =
                cursor == clients[client].cursor
                && app?.definition.fingerprint == clients[client].app?.definition.fingerprint
            try auditor.check(
                response, since: then, at: now, holding: isPresent ? clients[client].records : [:])
        }
        points[response.cursor] = response.more ? nil : now
    }

    /// After convergence, no change of a device is lost. The queues of real clients are audited at
    /// every step.
    func auditKeptChanges() throws(InvariantViolation) {
        for client in clients where !client.shadowsRealClient {
            try auditor.checkEveryChangeIsKept(client)
        }
    }
}
