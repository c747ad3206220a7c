import AccessPolicy
import DefinitionModel
import SyncEngine
import SyncProtocol

// Devices with a real client. The minimal client with the same number shadows it.

extension World {
    /// Causes for which a device may refuse an edit that the rules allow.
    private static let refusalsOfDevices: Set = ["notUnique", "removed", "recordUnknown"]

    mutating func edit(
        _ client: Int, _ draft: Draft, on real: any RealClient
    ) async throws(InvariantViolation) {
        guard let session = clients[client].session else { return }
        let (app, rules) = (ownApp(of: client), rules(on: clients[client]))
        guard let draft = app.map({ $0.known(draft) }) ?? draft,
            let edit = clients[client].appEdit(for: draft, by: rules)
        else { return }
        let isAllowed = clients[client].allows(draft, in: session.role, by: rules)
        let answer = try await asking(client) { try await real.carryOut(app?.own(edit) ?? edit) }
        switch answer {
        case .done:
            let own = Ownership(owner: clients[client].participant.login, group: session.role.group)
            let validity = ValidityContext(
                role: session.role, version: session.version,
                ownership: clients[client].seen(draft.guid)?.ownership ?? own)
            clients[client].join(edit, validity, by: rules)
        case .refused(let codes):
            guard !isAllowed || !codes.isDisjoint(with: Self.refusalsOfDevices) else {
                throw InvariantViolation(
                    .deviceAndServerAgree,
                    "\(clients[client].summary) refuses what the rules allow, for "
                        + "'\(codes.sorted().joined(separator: "', '"))'")
            }
        case .appEnded: forgetSync(of: client)
        }
        try await audit(client, real)
    }

    /// Does nothing on a device with a minimal client.
    func signIn(_ client: Int, _ session: ClientSession) async throws(InvariantViolation) {
        guard let real = realClients[client] else { return }
        let signedIn = RealSession(
            login: clients[client].participant.login, role: session.role,
            token: String(decoding: session.tokenHash, as: UTF8.self),
            definition: ownApp(of: client)?.definition
                ?? server.versions[session.version].definition)
        try await asking(client) { try await real.signIn(signedIn) }
    }

    mutating func update(
        _ client: Int, to version: AppVersion, on real: any RealClient
    ) async throws(InvariantViolation) {
        forgetSync(of: client)
        for change in clients[client].waiting {
            auditor.note(change, asUpdatedBy: clients[client].participant)
        }
        try await asking(client) { try await real.update(to: version.definition) }
        try await audit(client, real)
    }

    /// Does nothing on a device with a minimal client.
    mutating func replaceRealClient(_ client: Int) async throws(InvariantViolation) {
        guard let former = realClients[client] else { return }
        forgetSync(of: client)
        await former.close()
        realClients[client] = try await asking(client) { try await scenario.realClient?(client) }
    }

    mutating func endApp(_ client: Int, atWrite write: Int) async throws(InvariantViolation) {
        guard let real = realClients[client] else { return }
        if write == 0 { forgetSync(of: client) }
        try await asking(client) { try await real.endApp(atWrite: write) }
        try await audit(client, real)
    }
}

// MARK: - Syncs

extension World {
    /// As with a minimal client; the request is the next one of the running sync, or the first one
    /// of a new sync. A request that is repeated here was made in a session that had ended.
    mutating func sync(
        _ client: Int, on real: any RealClient, changes: Int, limit: Int, fault: DeliveryFault,
        isAgain: Bool = false
    ) async throws(InvariantViolation) -> Bool {
        guard try await session(of: client) != nil,
            var asked = try await nextRequest(of: client, real, changes: max(1, changes))
        else { return false }
        asked.request.limit = limit
        switch fault {
        case .requestLost: return false
        case .requestDelayed:
            hold(asked, of: client)
            return false
        case .answered, .answeredTwice, .answerDelayed, .answerLost, .sentTwice,
            .sentTwiceFirstAnswered:
            guard let response = try await answers(asked, client, fault) else {
                let session = clients[client].session
                let isOver = session?.tokenHash != Array(asked.token.utf8)
                try await take(isOver ? .sessionEnded : .roleUnknown, client, real)
                guard isOver, !isAgain else { return false }
                return try await sync(
                    client, on: real, changes: changes, limit: limit, fault: fault, isAgain: true)
            }
            return try await deliver(response, to: asked.request, client, fault)
        }
    }

    /// The answer that reaches the device, if any.
    private mutating func answers(
        _ asked: AskedSync, _ client: Int, _ fault: DeliveryFault
    ) async throws(InvariantViolation) -> SyncResponse? {
        let (tokenHash, app) = (Array(asked.token.utf8), ownApp(of: client))
        guard
            let first = try await answer(
                asked.request, tokenHash: tokenHash, from: client, with: app)
        else { return nil }
        switch fault {
        case .requestLost, .requestDelayed, .answered, .answeredTwice, .answerDelayed, .answerLost:
            return first
        case .sentTwice:
            return try await answer(
                asked.request, tokenHash: tokenHash, from: client, with: app) ?? first
        case .sentTwiceFirstAnswered:
            _ = try await answer(
                asked.request, tokenHash: tokenHash, from: client, with: app)
            return first
        }
    }

    private mutating func nextRequest(
        of client: Int, _ real: any RealClient, changes: Int
    ) async throws(InvariantViolation) -> AskedSync? {
        if asked[client] == nil {
            let before = clients[client]
            clients[client].requeueDisputes()
            let turn = try await asking(client) { try await real.beginSync() }
            try await continueSync(client, real, after: turn, since: [before, clients[client]])
        }
        while let next = asked[client], next.request.changes.count > changes {
            try await take(.tooLarge, client, real)
        }
        return asked.removeValue(forKey: client)
    }

    private mutating func take(
        _ reply: SyncReply, _ client: Int, _ real: any RealClient
    ) async throws(InvariantViolation) {
        asked[client] = nil
        let turn = try await asking(client) { try await real.take(reply) }
        try await continueSync(client, real, after: turn, since: [clients[client]])
    }

    /// Delivers an answer to the device: it is stored, disputes are decided, and the next request
    /// is made.
    mutating func receive(
        _ response: SyncResponse, to request: SyncRequest, _ client: Int, on real: any RealClient
    ) async throws(InvariantViolation) {
        var stages = [clients[client]]
        let app = ownApp(of: client)
        let turn = try await asking(client) {
            try await real.take(.response(app?.own(response) ?? response))
        }
        clients[client].receive(response, to: request)
        stages.append(clients[client])
        if !response.more {
            let held = try await asking(client) { try await real.holdings() }
            let decided = turn.settled.map(\.guid)
            clients[client].releaseDisputes(except: Set(held.records.keys).union(decided))
            stages.append(clients[client])
        }
        let rules = rules(on: clients[client])
        for dispute in turn.settled {
            let model = clients[client].held(dispute.guid)?.model ?? ""
            clients[client].settle(app?.lasting(dispute, of: model) ?? dispute, by: rules)
            stages.append(clients[client])
        }
        try await continueSync(client, real, after: turn, since: stages)
    }

    /// After the app ended during an answer, each write is complete or absent: the device is in one
    /// of these states.
    private mutating func continueSync(
        _ client: Int, _ real: any RealClient, after turn: SyncTurn, since stages: [Client]
    ) async throws(InvariantViolation) {
        if turn.hasAppEnded {
            endedSyncs += 1
            forgetSync(of: client)
            let held = try await holdings(of: client, real)
            let stage = stages.last { $0.fault(in: held) == nil }
            clients[client] = stage ?? clients[client]
        }
        if let next = turn.next {
            let app = ownApp(of: client)
            try checkVersion(of: next, app)
            let request = app?.lasting(kept: next.request) ?? next.request
            for change in try clients[client].send(request) {
                auditor.note(change, by: clients[client].participant)
            }
            asked[client] = next
        }
        try await audit(client, real)
    }
}

// MARK: - Audits

extension World {
    private func holdings(
        of client: Int, _ real: any RealClient
    ) async throws(InvariantViolation) -> Holdings {
        let held = try await asking(client) { try await real.holdings() }
        return ownApp(of: client)?.lasting(held) ?? held
    }

    /// An app names the version that it was built with.
    private func checkVersion(
        of asked: AskedSync, _ app: AppVersion?
    ) throws(InvariantViolation) {
        guard let app, asked.version != app.definition.fingerprint else { return }
        throw InvariantViolation(
            .everyAppIsUnderstood,
            "an app of '\(app.definition.fingerprint)' names the version '\(asked.version)'")
    }

    private func audit(_ client: Int, _ real: any RealClient) async throws(InvariantViolation) {
        let held = try await holdings(of: client, real)
        if let fault = clients[client].fault(in: held) { throw fault }
    }

    /// After convergence, a device whose user may sync has no waiting changes.
    func auditQueues() async throws(InvariantViolation) {
        for client in realClients.keys.sorted() {
            let role = try await server.trueAsker(for: clients[client].participant).role
            guard server.rules.definition.roles.contains(role),
                let left = clients[client].waiting.first
            else { continue }
            throw InvariantViolation(
                .clientKeepsWhatIsSaved,
                "\(clients[client].summary) does not send \(left.message.summary)"
            )
        }
    }

    private func asking<Value: Sendable>(
        _ client: Int, _ body: () async throws -> Value
    ) async throws(InvariantViolation) -> Value {
        do {
            return try await body()
        } catch {
            throw InvariantViolation(
                .clientGoesOn, "\(clients[client].summary) fails: \(error)")
        }
    }

    func close() async {
        for real in realClients.values { await real.close() }
    }
}
