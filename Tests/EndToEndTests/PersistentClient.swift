import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client that keeps each change until it has an outcome, and repeats it with the same id until
/// then. No other client changes its own records, so every outcome is known in advance. All clients
/// share one further record.
struct PersistentClient: Sendable {
    /// The expected state of a record.
    struct Expected: Hashable {
        var revision: Int64
        var title: String
        var isDeleted = false
    }

    static let model = "ConflictsEntity"

    /// The confirmed states, by guid.
    private(set) var settled: [String: Expected] = [:]
    /// Confirmed changes of the shared record.
    private(set) var sharedUpdates = 0
    private(set) var answeredChanges = 0
    /// Possibly sent, not answered.
    private(set) var pending: [ChangeMessage] = []

    private let token: String
    private let number: Int
    private let shared: String
    /// Whether the client acknowledges outcomes.
    private let acknowledges: Bool
    private var random: SplitMix64
    private var hoped: [String: Expected] = [:]
    private var answered: (changes: [ChangeMessage], outcomes: [OutcomeMessage]) = ([], [])
    private var sharedRevision: Int64 = 1
    private var count = 0

    init(token: String, number: Int, sharing shared: String, acknowledges: Bool, seed: UInt64) {
        self.token = token
        self.number = number
        self.shared = shared
        self.acknowledges = acknowledges
        random = SplitMix64(seed: seed)
    }

    /// Sends the pending changes, or new ones, and checks the outcomes. Returns false if there was
    /// no answer.
    mutating func push(to server: RunningServer) async throws -> Bool {
        if pending.isEmpty { thinkOfSomething() }
        let acknowledged = acknowledges ? answered.changes.map(\.id) : []
        guard let outcomes = try await outcomes(of: pending, acknowledging: acknowledged, server)
        else { return false }
        for (change, outcome) in zip(pending, outcomes) {
            #expect(outcome.id == change.id && outcome.outcome == .accepted, "\(outcome)")
            if change.guid == shared {
                sharedUpdates += 1
                sharedRevision = outcome.revision ?? sharedRevision
            }
        }
        let last = Dictionary(zip(pending, outcomes).map { ($0.guid, $1) }) { $1 }
        for (guid, outcome) in last where guid != shared {
            #expect(outcome.revision == hoped[guid]?.revision, "\(outcome)")
        }
        answeredChanges += pending.count
        settled = hoped
        answered = (pending, outcomes)
        pending = []
        return true
    }

    /// Repeats answered changes, unless acknowledged, and expects the same outcomes.
    func expectTheSameAgain(from server: RunningServer) async throws {
        guard !acknowledges, !answered.changes.isEmpty else { return }
        let again = try await outcomes(of: answered.changes, acknowledging: [], server)
        #expect(again == answered.outcomes)
    }

    /// The expected records, depending on whether the pending changes were applied.
    func expected(withPending isDone: Bool) -> [String: Expected] { isDone ? hoped : settled }

    /// Nil if the outcomes are unknown.
    private func outcomes(
        of changes: [ChangeMessage], acknowledging ids: [String], _ server: RunningServer
    ) async throws -> [OutcomeMessage]? {
        do {
            let answer = try await Client(server: server, token: token)
                .askPatiently(SyncRequest(limit: 1, changes: changes, acknowledged: ids))
            guard answer.status == 200 else { throw try server.refusal(answer) }
            let response = try answer.message(as: SyncResponse.self)
            #expect(response.outcomes.count == changes.count)
            return response.outcomes
        } catch is URLError {
            return nil
        }
    }
}

// MARK: - Changes

extension PersistentClient {
    private mutating func thinkOfSomething() {
        hoped = settled
        for _ in 0..<random.number(in: 1...4) {
            count += 1
            let id = "\(number)-\(count)"
            let alive = hoped.filter { !$0.value.isDeleted }.keys.sorted()
            switch random.number(in: 0..<10) {
            case 0..<5: if let guid = random.one(of: alive) { update(guid, id) }
            case 5..<7: if let guid = random.one(of: alive) { delete(guid, id) }
            case 7: updateShared(id)
            default: create(id)
            }
        }
        if pending.isEmpty { create("\(number)-\(count)") }
    }

    private mutating func create(_ id: String) {
        let guid = String(format: "%08d-0000-4000-8000-%012d", number, count)
        hoped[guid] = Expected(revision: 1, title: id)
        pending.append(
            ChangeMessage(
                id: id, action: .create, model: Self.model, guid: guid,
                fields: ["title": .string(id)]))
    }

    private mutating func update(_ guid: String, _ id: String) {
        pending.append(
            ChangeMessage(
                id: id, action: .update, model: Self.model, guid: guid, base: base(of: guid),
                fields: ["title": .string(id)]))
        hoped[guid]?.revision += 1
        hoped[guid]?.title = id
    }

    private mutating func delete(_ guid: String, _ id: String) {
        pending.append(
            ChangeMessage(
                id: id, action: .delete, model: Self.model, guid: guid, base: base(of: guid)))
        hoped[guid]?.revision += 1
        hoped[guid]?.isDeleted = true
    }

    private mutating func updateShared(_ id: String) {
        let isFirst = !pending.contains { $0.guid == shared }
        pending.append(
            ChangeMessage(
                id: id, action: .update, model: Self.model, guid: shared,
                base: isFirst ? sharedRevision : nil, fields: ["title": .string(id)]))
    }

    /// Nil if the change follows another one in the same request.
    private func base(of guid: String) -> Int64? {
        pending.contains { $0.guid == guid } ? nil : hoped[guid]?.revision
    }
}

extension PersistentClient {
    /// Clients of two users in turn, and the record that they share. A third of the clients
    /// acknowledge outcomes.
    static func signedIn(
        _ count: Int, to server: RunningServer, sharing shared: String, seed: UInt64
    ) async throws -> [PersistentClient] {
        try await server.client("a").push(
            .create(shared, of: model, ["title": "everyone's"]))
        var clients: [PersistentClient] = []
        for number in 0..<count {
            let session = try await server.signIn(
                number.isMultiple(of: 2) ? "a" : "b", device: "device-\(number)")
            clients.append(
                PersistentClient(
                    token: session.token, number: number, sharing: shared,
                    acknowledges: number.isMultiple(of: 3), seed: seed &+ UInt64(number)))
        }
        return clients
    }
}
