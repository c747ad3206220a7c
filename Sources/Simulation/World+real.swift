import AccessPolicy
import DefinitionModel
import SyncEngine
import SyncProtocol

// Devices with a real client. The plain one of the same number goes along.

extension World {
    /// The device rightly refuses what it knows to be in the way, also where the rules allow it.
    private static let refusalsOfDevices: Set = ["notUnique", "removed", "recordUnknown"]

    mutating func edit(
        _ client: Int, _ draft: Draft, on real: any RealClient
    ) async throws(BrokenPromise) {
        guard let session = clients[client].session else { return }
        let rules = server.versions[session.version]
        guard let edit = clients[client].appEdit(for: draft, by: rules) else { return }
        let isAllowed = clients[client].allows(draft, in: session.role, by: rules)
        let answer = try await asking(client) { try await real.carryOut(edit) }
        switch answer {
        case .done:
            let own = Ownership(owner: clients[client].player.login, group: session.role.group)
            let lawful = Lawfulness(
                role: session.role, version: session.version,
                ownership: clients[client].seen(draft.guid)?.ownership ?? own)
            clients[client].join(edit, lawful, by: rules)
        case .refused(let codes):
            guard !isAllowed || !codes.isDisjoint(with: Self.refusalsOfDevices) else {
                throw BrokenPromise(
                    .deviceAndServerAgree,
                    "\(clients[client].inWords) refuses what the rules allow, for "
                        + "'\(codes.sorted().joined(separator: "', '"))'")
            }
        case .appEnded: forgetSync(of: client)
        }
        try await audit(client, real)
    }

    /// Whoever signs in on a device with a plain client has nothing else to do.
    func signIn(_ client: Int, _ session: ClientSession) async throws(BrokenPromise) {
        guard let real = realClients[client] else { return }
        let signedIn = RealSession(
            login: clients[client].player.login, role: session.role,
            token: String(decoding: session.tokenHash, as: UTF8.self),
            definition: server.versions[session.version].definition)
        try await asking(client) { try await real.signIn(signedIn) }
    }

    mutating func endApp(_ client: Int, atWrite write: Int) async throws(BrokenPromise) {
        guard let real = realClients[client] else { return }
        if write == 0 { forgetSync(of: client) }
        try await asking(client) { try await real.endApp(atWrite: write) }
        try await audit(client, real)
    }
}

// MARK: - Syncs

extension World {
    /// As with a plain client; the request is the next one of a sync that goes on, or the first one
    /// of another. What is asked for twice here was asked for in a session that had ended.
    mutating func sync(
        _ client: Int, on real: any RealClient, changes: Int, limit: Int, fate: Fate,
        isAgain: Bool = false
    ) async throws(BrokenPromise) -> Bool {
        guard try await session(of: client) != nil,
            var asked = try await nextRequest(of: client, real, changes: max(1, changes))
        else { return false }
        asked.request.limit = limit
        switch fate {
        case .requestLost: return false
        case .requestDelayed:
            hold(asked, of: client)
            return false
        case .answered, .answeredTwice, .answerDelayed, .answerLost, .sentTwice,
            .sentTwiceFirstAnswered:
            guard let response = try await answers(asked, client, fate) else {
                let session = clients[client].session
                let isOver = session?.tokenHash != Array(asked.token.utf8)
                try await take(isOver ? .sessionEnded : .roleUnknown, client, real)
                guard isOver, !isAgain else { return false }
                return try await sync(
                    client, on: real, changes: changes, limit: limit, fate: fate, isAgain: true)
            }
            return try await deliver(response, to: asked.request, client, fate)
        }
    }

    /// The answer that the device gets, if it gets one.
    private mutating func answers(
        _ asked: AskedSync, _ client: Int, _ fate: Fate
    ) async throws(BrokenPromise) -> SyncResponse? {
        let tokenHash = Array(asked.token.utf8)
        guard let first = try await answer(asked.request, tokenHash: tokenHash, from: client)
        else { return nil }
        switch fate {
        case .requestLost, .requestDelayed, .answered, .answeredTwice, .answerDelayed, .answerLost:
            return first
        case .sentTwice:
            return try await answer(asked.request, tokenHash: tokenHash, from: client) ?? first
        case .sentTwiceFirstAnswered:
            _ = try await answer(asked.request, tokenHash: tokenHash, from: client)
            return first
        }
    }

    private mutating func nextRequest(
        of client: Int, _ real: any RealClient, changes: Int
    ) async throws(BrokenPromise) -> AskedSync? {
        if asked[client] == nil {
            let before = clients[client]
            clients[client].takeUpDisputes()
            let turn = try await asking(client) { try await real.beginSync() }
            try await goOn(client, real, after: turn, since: [before, clients[client]])
        }
        while let next = asked[client], next.request.changes.count > changes {
            try await take(.tooLarge, client, real)
        }
        return asked.removeValue(forKey: client)
    }

    private mutating func take(
        _ reply: SyncReply, _ client: Int, _ real: any RealClient
    ) async throws(BrokenPromise) {
        asked[client] = nil
        let turn = try await asking(client) { try await real.take(reply) }
        try await goOn(client, real, after: turn, since: [clients[client]])
    }

    /// An answer reaches the device: it is stored, what it disputes is decided, and the next
    /// request is made.
    mutating func receive(
        _ response: SyncResponse, to request: SyncRequest, _ client: Int, on real: any RealClient
    ) async throws(BrokenPromise) {
        var stages = [clients[client]]
        let turn = try await asking(client) { try await real.take(.response(response)) }
        clients[client].receive(response, to: request)
        stages.append(clients[client])
        for dispute in turn.settled {
            clients[client].settle(dispute)
            stages.append(clients[client])
        }
        try await goOn(client, real, after: turn, since: stages)
    }

    /// Where the app has ended, each write is there as a whole or not at all: the device is as it
    /// was at one of these stages.
    private mutating func goOn(
        _ client: Int, _ real: any RealClient, after turn: SyncTurn, since stages: [Client]
    ) async throws(BrokenPromise) {
        if turn.hasAppEnded {
            forgetSync(of: client)
            let held = try await asking(client) { try await real.holdings() }
            let stage = stages.last { $0.fault(in: held) == nil }
            clients[client] = stage ?? clients[client]
        }
        if let next = turn.next {
            for change in try clients[client].send(next.request) {
                ledger.note(change, by: clients[client].player)
            }
            asked[client] = next
        }
        try await audit(client, real)
    }
}

// MARK: - What is looked at

extension World {
    private func audit(_ client: Int, _ real: any RealClient) async throws(BrokenPromise) {
        let held = try await asking(client) { try await real.holdings() }
        if let fault = clients[client].fault(in: held) { throw fault }
    }

    /// When all is quiet, nothing waits on a device whose user may sync.
    func auditQueues() async throws(BrokenPromise) {
        for client in realClients.keys.sorted() {
            let role = try await server.trueAsker(for: clients[client].player).role
            guard server.rules.definition.roles.contains(role),
                let left = clients[client].waiting.first
            else { continue }
            throw BrokenPromise(
                .clientKeepsWhatIsSaved,
                "\(clients[client].inWords) does not send \(left.message.inWords)")
        }
    }

    private func asking<Value: Sendable>(
        _ client: Int, _ body: () async throws -> Value
    ) async throws(BrokenPromise) -> Value {
        do {
            return try await body()
        } catch {
            throw BrokenPromise(.clientGoesOn, "\(clients[client].inWords) fails: \(error)")
        }
    }

    func close() async {
        for real in realClients.values { await real.close() }
    }
}
