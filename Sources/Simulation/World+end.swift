import AccessPolicy
import DefinitionModel
import SyncEngine
import SyncProtocol

// The end of a history.

extension World {
    /// Delivers all messages and syncs all devices, without new edits, until nothing changes any
    /// more; then audits everything.
    mutating func quiesce() async throws(InvariantViolation) {
        while !delayedRequests.isEmpty { try await carryOut(.arrival) }
        for client in clients.indices { try await carryOut(.answer(client: client)) }
        try await fillEverything()
        var rounds = 0
        while let restless = try await syncEverybody() {
            guard isWanted() else { return }
            rounds += 1
            guard rounds < Self.maxRounds else {
                throw InvariantViolation(
                    .itConverges,
                    "after \(rounds) rounds there still is something new on "
                        + clients[restless].summary
                        + clients[restless].waiting.map { ", which has \($0.message.summary)" }
                        .joined())
            }
        }
        try await auditor.auditStore()
        try auditFills()
        try await auditQueues()
        try auditKeptChanges()
        for client in clients where isWanted() { try await compareWithFreshOne(client) }
        try await auditFollower()
        try await auditTimeReaders()
    }

    private mutating func auditFollower() async throws(InvariantViolation) {
        do throws(SyncError) {
            try await follower.readOn(server.engine)
        } catch {
            throw InvariantViolation(
                .stampsTellEveryChange, "a reader that follows stamps is told \(error)")
        }
        try auditor.audit(follower)
    }

    private static let maxRounds = 20
    /// For each device in each round.
    private static let maxRequests = 10_000

    /// Returns the last device that received something new or whose app ended; nil if none did.
    private mutating func syncEverybody() async throws(InvariantViolation) -> Int? {
        var restless: Int?
        for client in clients.indices {
            let (before, ends) = (clients[client], endedSyncs)
            var requests = 0
            while try await sync(client, changes: Step.largePage, limit: 20, fault: .answered),
                hasWork(client), requests < Self.maxRequests, isWanted()
            {
                requests += 1
            }
            if before.records != clients[client].records
                || before.waiting != clients[client].waiting || ends != endedSyncs
            {
                restless = client
            }
        }
        return restless
    }

    private func hasWork(_ client: Int) -> Bool {
        realClients[client] == nil ? clients[client].hasWork : asked[client] != nil
    }

    private mutating func compareWithFreshOne(_ client: Client) async throws(InvariantViolation) {
        let identifier = client.participant.deviceIdentifier + "-fresh"
        let participant = Participant(
            login: client.participant.login, group: client.participant.group,
            deviceCategory: client.participant.deviceCategory, deviceIdentifier: identifier)
        clients.append(Client(number: clients.count, participant: participant))
        let fresh = clients.count - 1
        clients[fresh].app = client.app
        defer { clients.removeLast() }
        var pages = 0
        while try await sync(fresh, changes: 0, limit: 7, fault: .answered),
            clients[fresh].hasMore, pages < Self.maxRequests
        {
            pages += 1
        }
        guard let role = clients[fresh].session?.role else { return }
        let asker = Asker(login: participant.login, group: role.group, role: role)
        auditor.app = client.app
        defer { auditor.app = nil }
        try auditor.compare(client, with: clients[fresh], for: asker)
    }
}

extension Client {
    /// Whether there is something to send or to receive.
    fileprivate var hasWork: Bool { hasMore || !waiting.isEmpty || !unacknowledged.isEmpty }
}
