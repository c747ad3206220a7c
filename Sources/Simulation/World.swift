import AccessPolicy
import DefinitionModel
import SyncEngine
import SyncProtocol

/// A server, its devices, and the messages in transit between them.
struct World: Sendable {
    let scenario: Scenario
    var server: SimulatedServer
    var clients: [Client]
    /// By client number; empty if the clients are minimal ones.
    var realClients: [Int: any RealClient] = [:]
    var auditor: Auditor
    var follower = StampFollower()
    /// By client number, for the first devices.
    var timeReaders: [TimeReader]
    /// Requests in transit, the oldest first.
    private(set) var delayedRequests: [DelayedRequest] = []
    /// By client, the delayed answer.
    private var lateAnswers: [Int: LateAnswer] = [:]
    /// By client, the next request of a real client's sync.
    var asked: [Int: AskedSync] = [:]
    /// The number of syncs in which the app of a real client has ended.
    var endedSyncs = 0
    /// By cursor, of devices that had read everything when they got it.
    var points: [String: ReadingPoint] = [:]
    /// By number.
    var doneRequests: [Int: DoneRequest] = [:]
    /// By guid of the record.
    var doneImports: [String: DoneImport] = [:]
    /// The number of sweeps so far.
    var sweeps = 0
    /// The history ends early when this becomes false.
    let isWanted: @Sendable () -> Bool

    init(
        _ scenario: Scenario, whileWanted isWanted: @escaping @Sendable () -> Bool
    ) async throws(InvariantViolation) {
        self.scenario = scenario
        self.isWanted = isWanted
        let participants = participants(of: scenario.definition, clients: scenario.clients)
        clients = participants.enumerated().map { number, participant in
            var client = Client(
                number: number, participant: participant,
                shadowsRealClient: scenario.realClient != nil)
            if number.isMultiple(of: 2) { client.app = scenario.earlierApp?.version }
            return client
        }
        do {
            server = try await SimulatedServer(scenario)
            for participant in participants { try await server.add(participant) }
            for number in clients.indices {
                realClients[number] = try await scenario.realClient?(number)
            }
        } catch {
            throw InvariantViolation(.everyRequestIsAnswered, "the server does not start: \(error)")
        }
        if scenario.evolves {
            for number in clients.indices { clients[number].app = server.present }
        }
        timeReaders = clients.prefix(Self.mostTimeReaders).map { TimeReader(app: $0.app) }
        auditor = Auditor(
            server.present, referenceStore: server.referenceStore,
            environment: server.engine.environment)
        auditor.counts = .one
    }
}

extension World {
    /// The devices with a client of another wire.
    private static let mostTimeReaders = 2
}

struct DelayedRequest: Sendable {
    let client: Int
    /// The app that sent it.
    let app: AppVersion?
    let tokenHash: [UInt8]
    /// In the words of the app if it has the library, and in lasting words otherwise.
    let request: SyncRequest
}

private struct LateAnswer: Sendable {
    let request: SyncRequest
    let response: SyncResponse
}

// MARK: - Steps

extension World {
    mutating func carryOut(_ step: Step) async throws(InvariantViolation) {
        server.now = Instant(milliseconds: server.now.milliseconds + 1000)
        switch step {
        case .edit(let client, let draft):
            if let real = realClients[client] { return try await edit(client, draft, on: real) }
            let known = clients[client].app.map { $0.known(draft) } ?? draft
            guard let draft = known else { return }
            let change = clients[client].edit(draft, by: rules(on: clients[client]))
            if let change { auditor.note(change, by: clients[client].participant) }
        case .sync(let client, let changes, let limit, let fault):
            try await readByTime(client, limit: limit)
            _ = try await sync(client, changes: changes, limit: limit, fault: fault)
        case .arrival:
            guard !delayedRequests.isEmpty else { return }
            let arriving = delayedRequests.removeFirst()
            _ = try await answer(
                arriving.request, tokenHash: arriving.tokenHash, from: arriving.client,
                with: arriving.app)
        case .answer(let client):
            guard let answer = lateAnswers.removeValue(forKey: client) else { return }
            try await receive(answer.response, to: answer.request, client)
        case .browse(let client, let guid, let model):
            try await browse(client, guid, of: model)
        case .resolveAll(let client, let side): try await resolveAll(client, choosing: side)
        case .clientClock(let client, let seconds): clients[client].clockSeconds += seconds
        case .appEnds(let client, let write): try await endApp(client, atWrite: write)
        case .appUpdate(let client): try await update(client)
        case .appIsAhead(let client): try await updateAhead(client)
        case .newDevice(let client): try await replaceDevice(client)
        case .server(let step): try await carryOut(step)
        case .foreign(let client, let push): try await self.push(push, by: client)
        case .request(let client, let request): try await make(request, by: client)
        case .deletedRow(let client, let row): try await importDeleted(row, by: client)
        }
    }

    private mutating func carryOut(_ step: ServerStep) async throws(InvariantViolation) {
        switch step {
        case .regroup(let login, let group):
            try await administering { server throws in try await server.move(login, to: group) }
        case .endSessions(let login):
            try await administering { server throws in try await server.endSessions(of: login) }
        case .restart:
            lateAnswers = [:]
            try await administering { server throws in try await server.restart() }
        case .deploy(let variant):
            lateAnswers = [:]
            try await administering { server throws in try await server.deploy(variant: variant) }
            noteDeployment()
        case .prepare(let changes, let forgetsNames):
            server.evolution?.prepare(changes, forgetsNames: forgetsNames)
        case .deployPrepared: try await deploy(server.evolution?.prepared)
        case .evolve(let changes, let forgetsNames):
            let next = server.evolution?.next(changes, forgetsNames: forgetsNames)
            try await deploy(next)
        case .goBack: try await deploy(server.evolution?.before)
        case .require:
            lateAnswers = [:]
            try await requireField()
        case .fill: _ = try await fill()
        case .reassign(let guid, let model, let owner, let group):
            let ownership = NewOwnership(owner: owner, group: group)
            try await administering { server throws in
                try await server.reassign(guid, of: model, to: ownership)
            }
            try await auditor.readChanges()
        case .sweep(let seconds):
            sweeps += 1
            let moment = server.now.adding(seconds: -seconds)
            try await administering { server throws in try await server.sweep(before: moment) }
            try await auditor.auditSweep(before: moment)
        case .clock(let seconds): server.now = server.now.adding(seconds: seconds)
        }
    }

    mutating func administering(
        _ body: (inout SimulatedServer) async throws -> Void
    ) async throws(InvariantViolation) {
        do {
            try await body(&server)
        } catch {
            throw InvariantViolation(.everyRequestIsAnswered, "the server fails: \(error)")
        }
    }
}

// MARK: - Requests

extension World {
    /// A new request replaces one that waits for an answer. Returns whether an answer arrived.
    mutating func sync(
        _ client: Int, changes: Int, limit: Int, fault: DeliveryFault
    ) async throws(InvariantViolation) -> Bool {
        lateAnswers[client] = nil
        if let real = realClients[client] {
            if fault != .answered { auditor.counts.faults += 1 }
            return try await sync(client, on: real, changes: changes, limit: limit, fault: fault)
        }
        guard let session = try await session(of: client) else { return false }
        let request = clients[client].request(changes: changes, limit: limit)
        if fault != .answered { auditor.counts.faults += 1 }
        switch fault {
        case .requestLost:
            try await abandon(
                request, session, with: scenario.evolves ? clients[client].app : nil)
            return false
        case .requestDelayed:
            delayedRequests.append(
                DelayedRequest(
                    client: client, app: clients[client].app, tokenHash: session.tokenHash,
                    request: request))
            return false
        case .answered, .answeredTwice, .answerDelayed, .answerLost, .sentTwice,
            .sentTwiceFirstAnswered:
            return try await exchange(request, client, fault: fault)
        }
    }

    /// A decision of several changes ends between two of them when its caller has gone.
    private mutating func abandon(
        _ request: SyncRequest, _ session: ClientSession, with app: AppVersion?
    ) async throws(InvariantViolation) {
        guard request.changes.count > 1 else { return }
        do {
            let before = try await server.sequence()
            await server.abandon(request, tokenHash: session.tokenHash, with: app)
            let after = try await server.sequence()
            guard before != after else { return }
        } catch {
            throw InvariantViolation(
                .everyRequestIsAnswered, "the environment cannot be read: \(error)")
        }
        throw InvariantViolation(
            .goneCallersLeaveNothing,
            "\(request.changes.count) changes were abandoned after the first one")
    }

    private mutating func exchange(
        _ request: SyncRequest, _ client: Int, fault: DeliveryFault
    ) async throws(InvariantViolation) -> Bool {
        guard let first = try await answer(request, to: client) else { return false }
        switch fault {
        case .requestLost, .requestDelayed, .answered, .answeredTwice, .answerDelayed, .answerLost:
            return try await deliver(first, to: request, client, fault)
        case .sentTwice:
            guard let second = try await answer(request, to: client) else { return false }
            return try await deliver(second, to: request, client, fault)
        case .sentTwiceFirstAnswered:
            _ = try await answer(request, to: client)
            return try await deliver(first, to: request, client, fault)
        }
    }

    /// Returns whether the answer arrives now.
    mutating func deliver(
        _ response: SyncResponse, to request: SyncRequest, _ client: Int, _ fault: DeliveryFault
    ) async throws(InvariantViolation) -> Bool {
        switch fault {
        case .requestLost, .requestDelayed, .answerLost: return false
        case .answerDelayed:
            lateAnswers[client] = LateAnswer(request: request, response: response)
            return false
        case .answeredTwice where realClients[client] == nil:
            try await receive(response, to: request, client)
            try await receive(response, to: request, client)
        case .answered, .answeredTwice, .sentTwice, .sentTwiceFirstAnswered:
            try await receive(response, to: request, client)
        }
        return true
    }

    private mutating func receive(
        _ response: SyncResponse, to request: SyncRequest, _ client: Int
    ) async throws(InvariantViolation) {
        guard let real = realClients[client] else {
            return clients[client].receive(response, to: request)
        }
        try await receive(response, to: request, client, on: real)
    }

    mutating func hold(_ asked: AskedSync, of client: Int) {
        delayedRequests.append(
            DelayedRequest(
                client: client, app: ownApp(of: client), tokenHash: Array(asked.token.utf8),
                request: asked.request))
    }

    /// Nothing that is on its way from the device arrives, or only requests do.
    mutating func forgetMessages(of client: Int, keepingRequests: Bool = false) {
        if !keepingRequests { delayedRequests.removeAll { $0.client == client } }
        lateAnswers[client] = nil
    }

    /// Requests in progress get no answer.
    mutating func dropLateAnswers() { lateAnswers = [:] }

    /// The app of a device ended during the sync.
    mutating func forgetSync(of client: Int) {
        asked[client] = nil
        lateAnswers[client] = nil
    }

    /// Signs in again, once, if the session has ended.
    private mutating func answer(
        _ request: SyncRequest, to client: Int
    ) async throws(InvariantViolation) -> SyncResponse? {
        for _ in 0..<2 {
            guard let session = try await session(of: client) else { return nil }
            let answer = try await answer(
                request, tokenHash: session.tokenHash, from: client, with: clients[client].app)
            if answer != nil || clients[client].session != nil { return answer }
        }
        return nil
    }

    /// Signs in if needed. Nil if the user has no role on this device.
    mutating func session(of client: Int) async throws(InvariantViolation) -> ClientSession? {
        if let session = clients[client].session { return session }
        let session: ClientSession
        do {
            session = try await server.signIn(clients[client].participant)
        } catch {
            guard case .signIn(.roleUnknown) = error else {
                throw InvariantViolation(
                    .everyRequestIsAnswered,
                    "\(clients[client].summary) cannot sign in: \(error)")
            }
            return nil
        }
        clients[client].session = session
        try await signIn(client, session)
        return session
    }

    /// Nil if the user has to sign in again or has no role on this device.
    mutating func answer(
        _ request: SyncRequest, tokenHash: [UInt8], from client: Int, with app: AppVersion?
    ) async throws(InvariantViolation) -> SyncResponse? {
        let participant = clients[client].participant
        auditor.counts.requests += 1
        do {
            let caller = try await server.caller(tokenHash)
            let response = try await server.answer(
                request, from: caller, with: app, inItsWords: realClients[client] != nil)
            auditor.app = app
            defer { auditor.app = nil }
            let asker = try await server.trueAsker(for: participant)
            try await auditor.audit(response, to: request, from: asker, by: participant)
            try auditPoint(of: response, to: request, from: client, in: asker.group, with: app)
            // Reading after every request would only repeat what few changes tell.
            if auditor.counts.requests.isMultiple(of: 5) {
                try await follower.readOn(server.engine)
            }
            return response
        } catch let violation as InvariantViolation {
            throw violation
        } catch SyncError.signIn(.tokenUnknown) {
            if clients[client].session?.tokenHash == tokenHash { clients[client].session = nil }
            return nil
        } catch SyncError.signIn(.roleUnknown) {
            return nil
        } catch {
            throw InvariantViolation(
                .everyRequestIsAnswered, "\(participant.deviceIdentifier) is told \(error)")
        }
    }
}
