import AccessPolicy
import DefinitionModel
import SyncEngine
import SyncProtocol

/// A server, devices, and what is on its way between them.
struct World: Sendable {
    let setting: Setting
    var server: Server
    var clients: [Client]
    /// By client, what is played on its device; nothing where plain clients are.
    private(set) var realClients: [Int: any RealClient] = [:]
    var ledger: Ledger
    /// Requests that are held up, the oldest first.
    private var heldUp: [HeldUpRequest] = []
    /// By client, the answer that is late.
    private var late: [Int: LateAnswer] = [:]
    /// By client, what the sync of a real one wants to ask next.
    var asked: [Int: AskedSync] = [:]

    init(_ setting: Setting) async throws(BrokenPromise) {
        self.setting = setting
        let players = cast(of: setting.definition, clients: setting.clients)
        clients = players.enumerated().map { number, player in
            Client(number: number, player: player, goesAlong: setting.realClient != nil)
        }
        do {
            server = try await Server(setting)
            for player in players { try await server.add(player) }
            for number in clients.indices {
                realClients[number] = try await setting.realClient?(number)
            }
        } catch {
            throw BrokenPromise(.everyRequestIsAnswered, "the server does not start: \(error)")
        }
        ledger = Ledger(
            rules: server.rules, truth: server.truth, environment: server.engine.environment)
        ledger.tally = .one
    }
}

private struct HeldUpRequest: Sendable {
    let client: Int
    let tokenHash: [UInt8]
    let request: SyncRequest
}

private struct LateAnswer: Sendable {
    let request: SyncRequest
    let response: SyncResponse
}

// MARK: - Steps

extension World {
    mutating func carryOut(_ step: Step) async throws(BrokenPromise) {
        server.now = Instant(milliseconds: server.now.milliseconds + 1000)
        switch step {
        case .edit(let client, let draft):
            if let real = realClients[client] { return try await edit(client, draft, on: real) }
            let version = clients[client].session?.version ?? 0
            let change = clients[client].edit(draft, by: server.versions[version])
            if let change { ledger.note(change, by: clients[client].player) }
        case .sync(let client, let changes, let limit, let fate):
            _ = try await sync(client, changes: changes, limit: limit, fate: fate)
        case .arrival:
            guard !heldUp.isEmpty else { return }
            let arriving = heldUp.removeFirst()
            _ = try await answer(
                arriving.request, tokenHash: arriving.tokenHash, from: arriving.client)
        case .answer(let client):
            guard let answer = late.removeValue(forKey: client) else { return }
            try await receive(answer.response, to: answer.request, client)
        case .browse(let client, let guid, let model):
            try await browse(client, guid, of: model)
        case .resolveAll(let client, let side): try await resolveAll(client, choosing: side)
        case .clientClock(let client, let seconds): clients[client].clockSeconds += seconds
        case .appEnds(let client, let write): try await endApp(client, atWrite: write)
        case .server(let step): try await carryOut(step)
        }
    }

    private mutating func carryOut(_ step: ServerStep) async throws(BrokenPromise) {
        switch step {
        case .regroup(let login, let group):
            try await administering { server throws in try await server.move(login, to: group) }
        case .endSessions(let login):
            try await administering { server throws in try await server.endSessions(of: login) }
        case .restart:
            late = [:]
            try await administering { server throws in try await server.restart() }
        case .deploy(let variant):
            late = [:]
            let definition = setting.definition.variant(variant)
            try await administering { server throws in try await server.deploy(definition) }
            if server.versions.count > ledger.versions.count { ledger.note(server.rules) }
        case .reassign(let guid, let model, let owner, let group):
            let ownership = NewOwnership(owner: owner, group: group)
            try await administering { server throws in
                try await server.reassign(guid, of: model, to: ownership)
            }
            try await ledger.readChanges()
        case .sweep(let seconds):
            let moment = server.now.adding(seconds: -seconds)
            try await administering { server throws in try await server.sweep(before: moment) }
            try await ledger.auditSweep(before: moment)
        case .clock(let seconds): server.now = server.now.adding(seconds: seconds)
        }
    }

    private mutating func administering(
        _ body: (inout Server) async throws -> Void
    ) async throws(BrokenPromise) {
        do {
            try await body(&server)
        } catch {
            throw BrokenPromise(.everyRequestIsAnswered, "the server fails: \(error)")
        }
    }
}

// MARK: - Requests

extension World {
    /// A device that asks waits no longer for an answer to what it asked before. Whether it has
    /// got one.
    private mutating func sync(
        _ client: Int, changes: Int, limit: Int, fate: Fate
    ) async throws(BrokenPromise) -> Bool {
        late[client] = nil
        if let real = realClients[client] {
            if fate != .answered { ledger.tally.faults += 1 }
            return try await sync(client, on: real, changes: changes, limit: limit, fate: fate)
        }
        guard let session = try await session(of: client) else { return false }
        let request = clients[client].request(
            changes: changes, limit: limit, onTheWay: changesOnTheWay(from: client))
        if fate != .answered { ledger.tally.faults += 1 }
        switch fate {
        case .requestLost: return false
        case .requestDelayed:
            heldUp.append(
                HeldUpRequest(client: client, tokenHash: session.tokenHash, request: request))
            return false
        case .answered, .answeredTwice, .answerDelayed, .answerLost, .sentTwice,
            .sentTwiceFirstAnswered:
            return try await exchange(request, client, fate: fate)
        }
    }

    private mutating func exchange(
        _ request: SyncRequest, _ client: Int, fate: Fate
    ) async throws(BrokenPromise) -> Bool {
        guard let first = try await answer(request, to: client) else { return false }
        switch fate {
        case .requestLost, .requestDelayed, .answered, .answeredTwice, .answerDelayed, .answerLost:
            return try await deliver(first, to: request, client, fate)
        case .sentTwice:
            guard let second = try await answer(request, to: client) else { return false }
            return try await deliver(second, to: request, client, fate)
        case .sentTwiceFirstAnswered:
            _ = try await answer(request, to: client)
            return try await deliver(first, to: request, client, fate)
        }
    }

    /// Whether it arrives now.
    mutating func deliver(
        _ response: SyncResponse, to request: SyncRequest, _ client: Int, _ fate: Fate
    ) async throws(BrokenPromise) -> Bool {
        switch fate {
        case .requestLost, .requestDelayed, .answerLost: return false
        case .answerDelayed:
            late[client] = LateAnswer(request: request, response: response)
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
    ) async throws(BrokenPromise) {
        guard let real = realClients[client] else {
            return clients[client].receive(response, to: request)
        }
        try await receive(response, to: request, client, on: real)
    }

    mutating func hold(_ asked: AskedSync, of client: Int) {
        heldUp.append(
            HeldUpRequest(
                client: client, tokenHash: Array(asked.token.utf8), request: asked.request))
    }

    /// The app of a device has ended in the midst of it.
    mutating func forgetSync(of client: Int) {
        asked[client] = nil
        late[client] = nil
    }

    /// Signs in again, once, where the session has ended.
    private mutating func answer(
        _ request: SyncRequest, to client: Int
    ) async throws(BrokenPromise) -> SyncResponse? {
        for _ in 0..<2 {
            guard let session = try await session(of: client) else { return nil }
            let answer = try await answer(request, tokenHash: session.tokenHash, from: client)
            if answer != nil || clients[client].session != nil { return answer }
        }
        return nil
    }

    /// Signs in where nobody is. Nil where the user may not from this device.
    mutating func session(of client: Int) async throws(BrokenPromise) -> ClientSession? {
        if let session = clients[client].session { return session }
        let session: ClientSession
        do {
            session = try await server.signIn(clients[client].player)
        } catch {
            guard case .signIn(.roleUnknown) = error else {
                throw BrokenPromise(
                    .everyRequestIsAnswered, "\(clients[client].inWords) cannot sign in: \(error)")
            }
            return nil
        }
        clients[client].session = session
        try await signIn(client, session)
        return session
    }

    /// Nil where the user has to sign in again, or may do nothing from this device.
    mutating func answer(
        _ request: SyncRequest, tokenHash: [UInt8], from client: Int
    ) async throws(BrokenPromise) -> SyncResponse? {
        let player = clients[client].player
        ledger.tally.requests += 1
        do {
            let caller = try await server.caller(tokenHash)
            let response = try await server.answer(request, from: caller)
            try await ledger.audit(
                response, to: request, from: try await server.trueAsker(for: player), by: player)
            return response
        } catch let broken as BrokenPromise {
            throw broken
        } catch SyncError.signIn(.tokenUnknown) {
            if clients[client].session?.tokenHash == tokenHash { clients[client].session = nil }
            return nil
        } catch SyncError.signIn(.roleUnknown) {
            return nil
        } catch {
            throw BrokenPromise(
                .everyRequestIsAnswered, "\(player.deviceIdentifier) is told \(error)")
        }
    }

    private func changesOnTheWay(from client: Int) -> Set<String> {
        Set(heldUp.filter { $0.client == client }.flatMap { $0.request.changes.map(\.id) })
    }
}

// MARK: - The end

extension World {
    /// Everybody is online and nobody changes anything, until nothing changes any more; then
    /// everything is looked at.
    mutating func calmDown() async throws(BrokenPromise) {
        while !heldUp.isEmpty { try await carryOut(.arrival) }
        for client in clients.indices { try await carryOut(.answer(client: client)) }
        var rounds = 0
        while try await syncEverybody() {
            rounds += 1
            guard rounds < Self.maxRounds else {
                throw BrokenPromise(
                    .itCalmsDown, "after \(rounds) rounds there still is something new")
            }
        }
        try await ledger.auditStore()
        try await auditQueues()
        for client in clients { try await compareWithFreshOne(client) }
    }

    private static let maxRounds = 20
    /// Of one device in one round.
    private static let maxRequests = 10_000

    /// Whether anything was new to anybody.
    private mutating func syncEverybody() async throws(BrokenPromise) -> Bool {
        var isNews = false
        for client in clients.indices {
            let before = clients[client]
            var requests = 0
            while try await sync(client, changes: Step.plenty, limit: 20, fate: .answered),
                hasWork(client), requests < Self.maxRequests
            {
                requests += 1
            }
            isNews =
                isNews || before.records != clients[client].records
                || before.waiting != clients[client].waiting
        }
        return isNews
    }

    private func hasWork(_ client: Int) -> Bool {
        realClients[client] == nil ? clients[client].hasWork : asked[client] != nil
    }

    private mutating func compareWithFreshOne(_ client: Client) async throws(BrokenPromise) {
        let identifier = client.player.deviceIdentifier + "-fresh"
        let player = Player(
            login: client.player.login, group: client.player.group,
            deviceCategory: client.player.deviceCategory, deviceIdentifier: identifier)
        clients.append(Client(number: clients.count, player: player))
        let fresh = clients.count - 1
        defer { clients.removeLast() }
        var pages = 0
        while try await sync(fresh, changes: 0, limit: 7, fate: .answered),
            clients[fresh].hasMore, pages < Self.maxRequests
        {
            pages += 1
        }
        guard let role = clients[fresh].session?.role else { return }
        let asker = Asker(login: player.login, group: role.group, role: role)
        try ledger.compare(client, with: clients[fresh], for: asker)
    }
}

extension Client {
    /// Whether there is something to send or to get.
    fileprivate var hasWork: Bool { hasMore || !waiting.isEmpty || !unacknowledged.isEmpty }
}
