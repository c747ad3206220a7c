import GRDB
import JSON
import SyncProtocol

/// One sync of one user, from the first request to the last answer.
struct SyncRun: Sendable {
    let store: DeviceStore
    let rules: LocalRules
    let wire: any Transport
    let environment: String
    let token: String
    let handlers: ConflictHandlers
    let report: @Sendable (SyncProgress) -> Void

    /// Records in one answer: what the server gives at most.
    private static let pageRecords = 1000

    /// Sends what waits and gets what is new, until there is neither. It can be stopped at any
    /// moment: the next one goes on from there.
    func perform() async throws(SyncFailure) -> SyncSummary {
        var summary = SyncSummary()
        var size = RequestSize()
        try await stored { db in try store.takeUpSettling(db) }
        var hasMore = true
        while hasMore {
            guard !Task.isCancelled else { throw .cancelled }
            let request = try await stored { [size] db in try nextRequest(of: size, db) }
            report(.sending(changes: request.changes.count))
            let response: SyncResponse
            do {
                response = try await exchange(request)
            } catch {
                summary = summary + (try await mend(request, after: error, &size))
                continue
            }
            let received = try await stored { db in
                try store.receive(response, to: request, by: rules, db)
            }
            summary = summary + received
            report(.received(records: summary.received))
            if !response.more { try await settleConflicts() }
            hasMore = try await stored { db in
                try response.more || store.hasWork(db)
            }
        }
        return summary
    }

    func stored<Result: Sendable>(
        _ body: @Sendable @escaping (GRDB.Database) throws -> Result
    ) async throws(SyncFailure) -> Result {
        do {
            return try await store.write(body)
        } catch {
            throw .database(error)
        }
    }
}

// MARK: - Requests

extension SyncRun {
    /// What goes out is marked before it goes: from then on nobody can tell whether it arrived.
    private func nextRequest(
        of size: RequestSize, _ db: GRDB.Database
    ) throws -> SyncRequest {
        let next = try store.goingChanges(limit: size.changes, db)
        let ordered = try inSendingOrder(next) { try store.waitingCreation(of: $0, db) }
        var going: [LocalChange] = []
        var bytes = 0
        for change in ordered.prefix(size.changes) {
            bytes += try StoredJSON.encode(change.fields).utf8.count + 200
            guard bytes <= RequestSize.maxBytes || going.isEmpty else { break }
            going.append(change)
        }
        for var change in going {
            change.state = .sent
            change.attempts += 1
            try store.replace(change, db)
        }
        let settled = try String.fetchAll(
            db, sql: "SELECT id FROM settled LIMIT ?", arguments: [size.changes])
        return SyncRequest(
            cursor: try store.value(of: .cursor, db), limit: Self.pageRecords,
            changes: messages(of: going), acknowledged: settled)
    }

    private func messages(of changes: [LocalChange]) -> [ChangeMessage] {
        changes.map { change in
            let isSettledHere = handlers.handler(of: change.model) != nil && !change.settlesByMode
            return ChangeMessage(
                id: change.id, action: change.action, model: change.model, guid: change.guid,
                base: change.base,
                ifStale: isSettledHere && change.canBeStale ? .refuse : nil,
                fields: change.action == .delete ? [:] : change.fields)
        }
    }

    private func exchange(_ request: SyncRequest) async throws(SyncFailure) -> SyncResponse {
        let answer: WireAnswer
        do {
            let body = try StoredJSON.encode(request)
            answer = try await wire.send(
                WireRequest(
                    method: "POST", path: "v1/\(environment)/sync", token: token,
                    body: Array(body.utf8)))
        } catch let failure as WireFailure {
            throw Task.isCancelled ? .cancelled : SyncFailure(failure)
        } catch {
            throw .unexpectedAnswer("\(error)")
        }
        guard answer.status == 200 else { throw SyncFailure(answer) }
        let response: SyncResponse
        do {
            response = try decodeMessage(SyncResponse.self, from: answer.body)
        } catch {
            throw .unexpectedAnswer("\(error)")
        }
        guard Set(response.outcomes.map(\.id)).isSuperset(of: request.changes.map(\.id)) else {
            throw .unexpectedAnswer("a change has no outcome")
        }
        return response
    }
}

extension LocalChange {
    fileprivate var canBeStale: Bool {
        switch action {
        case .update, .delete: true
        case .create, .resolve: false
        }
    }
}
