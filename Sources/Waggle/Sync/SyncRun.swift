import DefinitionModel
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

    /// Records in one answer: the server's maximum.
    private static let pageRecords = 1000

    /// Sends the waiting changes and receives new records, until there are neither. It can be
    /// stopped at any moment: the next sync continues from there.
    func perform() async throws(SyncFailure) -> SyncSummary {
        var summary = SyncSummary()
        var size = RequestSize()
        try await stored { db in try store.requeueDisputed(db) }
        var fetched = FetchedPages()
        var hasWork = true
        var hasMore = false
        while hasWork || hasMore {
            guard !Task.isCancelled else { throw .cancelled }
            if fetched.isEmpty {
                let request = try await stored { [size] db in try nextRequest(of: size, db) }
                fetched = await fetch(request)
            }
            if let failed = fetched.failed, fetched.pages.isEmpty {
                fetched = FetchedPages()
                summary = summary + (try await mend(failed.request, after: failed.failure, &size))
                continue
            }
            hasMore = fetched.pages.last?.response.more ?? false
            let (summaries, next) = try await store(fetched, prefetches: !hasWork)
            fetched = next
            for page in summaries {
                summary = summary + page
                report(.received(records: summary.received))
            }
            if !hasMore { try await settleConflicts() }
            hasWork = try await stored { db in try store.hasWork(db) }
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
    /// Marks the changes before they are sent: without an answer they may have arrived or not.
    private func nextRequest(
        of size: RequestSize, _ db: GRDB.Database
    ) throws -> SyncRequest {
        let next = try store.sendableChanges(limit: size.changes, db)
        let ordered = try inSendingOrder(next) { try store.waitingCreation(of: $0, db) }
        var going: [LocalChange] = []
        var bytes = 0
        for change in ordered.prefix(size.changes) {
            bytes += StoredJSON.encode(change.fields).utf8.count + 200
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

    func send(_ request: SyncRequest) async throws(SyncFailure) -> SyncResponse {
        report(.sending(changes: request.changes.count))
        let answer: WireAnswer
        do {
            let body = try StoredJSON.encode(request)
            answer = try await wire.send(
                WireRequest(
                    method: "POST", path: "v1/\(environment)/sync", token: token,
                    body: Array(body.utf8),
                    headers: ["Waggle-Definition": rules.definition.fingerprint]))
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
