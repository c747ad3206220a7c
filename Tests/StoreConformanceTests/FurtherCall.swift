import ChangeRules
import SyncEngine
import TestKit

/// Calls for history, conflicts and administration.
enum FurtherCall: Sendable {
    case history(String, limit: Int)
    case conflicted(model: String?, guids: [String]?, after: RecordKey?, limit: Int)
    case sweep(before: Int64, limit: Int)
    case cursorKey(UInt8)
    case user(String)
}

extension FurtherCall {
    func answer(of store: any Store, in environment: EnvironmentID) async throws -> StoreAnswer {
        switch self {
        case .history(let guid, let limit):
            try await history(of: guid, limit: limit, of: store, in: environment)
        case .conflicted(let model, let guids, let after, let limit):
            .conflicted(
                try await store.conflicted(
                    ConflictedRequest(
                        environment: environment, model: model, guids: guids, after: after,
                        limit: limit, maxBytes: 200)))
        case .sweep(let before, let limit):
            .purged(
                try await store.sweep(
                    SweepRequest(
                        environment: environment, before: Instant(milliseconds: before),
                        limit: limit)))
        case .cursorKey(let byte):
            .key(try await store.key(.cursors, of: environment, orStoring: [byte]))
        case .user(let login): .user(try await store.user(login, in: environment))
        }
    }

    /// All pages; entries are compared without their numbers, which differ between stores.
    private func history(
        of guid: String, limit: Int, of store: any Store, in environment: EnvironmentID
    ) async throws -> StoreAnswer {
        var pages: [[HistoryEntry]] = []
        var before: Int64?
        while true {
            let request = HistoryRequest(
                environment: environment, guid: guid, before: before, limit: limit,
                maxBytes: 100)
            guard let page = try await store.history(request) else {
                return .history(nil, [], [])
            }
            pages.append(page.entries)
            before = page.numbers.last
            if !page.hasMore { return .history(page.record, page.ownershipChanges, pages) }
        }
    }
}
