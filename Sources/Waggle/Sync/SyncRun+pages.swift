import GRDB
import SyncProtocol

/// An answer of the server with its request.
struct ReceivedPage: Sendable {
    let request: SyncRequest
    let response: SyncResponse

    /// The request for the page after this one, where nothing of it depends on what storing this
    /// page changes: there are no changes to send and no outcomes to acknowledge.
    fileprivate var following: SyncRequest? {
        guard response.more, response.outcomes.isEmpty, request.changes.isEmpty,
            request.acknowledged.isEmpty
        else { return nil }
        return SyncRequest(
            cursor: response.cursor, limit: request.limit, changes: [], acknowledged: [])
    }
}

/// Pages that have yet to be stored, and the request after them if it failed.
struct FetchedPages: Sendable {
    var pages: [ReceivedPage] = []
    var failed: (request: SyncRequest, failure: SyncFailure)?

    var isEmpty: Bool { pages.isEmpty && failed == nil }
}

extension SyncRun {
    /// Pages in one transaction. Most of the pages of an index by guid change with every thousand
    /// records, so that a transaction of several pages of records writes them less often.
    static let maxPages = 4

    func fetch(_ request: SyncRequest) async -> FetchedPages {
        do {
            let response = try await send(request)
            return FetchedPages(pages: [ReceivedPage(request: request, response: response)])
        } catch {
            return FetchedPages(failed: (request, error))
        }
    }

    /// Stores pages in one transaction, and requests the pages after them while it runs.
    func store(
        _ fetched: FetchedPages, prefetches: Bool
    ) async throws(SyncFailure) -> (summaries: [SyncSummary], next: FetchedPages) {
        let isStored = LockedValue(false)
        let isPull = prefetches && fetched.failed == nil && wire.prefetchesPages
        async let following = prefetch(after: isPull ? fetched.pages.last : nil) {
            isStored.withLock { $0 }
        }
        let summaries = try await stored { db in
            try fetched.pages.map { page in
                try store.receive(page.response, to: page.request, by: rules, db)
            }
        }
        isStored.withLock { $0 = true }
        var next = await following
        next.failed = next.failed ?? fetched.failed
        return (summaries, next)
    }

    /// One page at least, since the next transaction has to wait for it anyway.
    private func prefetch(
        after page: ReceivedPage?, until isStored: @Sendable () -> Bool
    ) async -> FetchedPages {
        var fetched = FetchedPages()
        var following = page?.following
        while let request = following {
            let next = await fetch(request)
            fetched.pages += next.pages
            fetched.failed = next.failed
            let isEnough = isStored() || fetched.pages.count == Self.maxPages
            following = isEnough ? nil : next.pages.last?.following
        }
        return fetched
    }
}
