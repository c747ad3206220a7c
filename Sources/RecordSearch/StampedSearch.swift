import AccessPolicy
import DefinitionModel
package import SyncEngine

extension Engine {
    /// Returns the first page of a query whose texts are kept and that asks for nothing but what
    /// changed after a time, in the order of changes. It takes a fraction of the time of `find`.
    ///
    /// Returns nil for another query, and where a record is told in another way than by its row: in
    /// conflict, out of sight, or again since rights changed. Then `find` gives the page.
    package func stampedPage(
        of request: FindQuery, of modelName: String, for caller: Caller
    ) async throws(SyncError) -> StampedPage? {
        let query = try checked(request, of: modelName)
        let readPolicy = readRules.policy.readPolicy(of: query.model.name, for: caller.asker.role)
        guard request.cursor == nil, !readPolicy.seesNothing,
            let search = StampedSearch(
                query, gate: ReadFilter(rules: readRules, asker: caller.asker),
                pull: query.isPull ? pullRights(of: query, caller.asker) : nil,
                maxRecords: limits.scannedRecords)
        else { return nil }
        let found = try await reading { () async throws(StoreError) in
            try await store.search(in: environment, readingNames: true) { transaction in
                (
                    fingerprint: try transaction.currentState().fingerprint,
                    page: try search.page(in: transaction)
                )
            }
        }
        try checkIsCurrent(found.fingerprint)
        return found.page
    }

    /// The stamp of the last change of the environment. Every later change gets a later one.
    package func latestStamp() async throws(SyncError) -> Instant {
        try await reading { () async throws(StoreError) in
            try await store.search(in: environment, readingNames: false) {
                try $0.currentState().lastStamp
            }
        }
    }
}

/// A search for what changed after a time, all of whose answer is in the rows of the records.
private struct StampedSearch: Sendable {
    /// Maximum number of purged records and of moves to look at.
    private static let maxDepartures = 100

    private let model: String
    private let after: Instant
    /// Then the query has a condition that says so: `find` shows deleted records in conflict
    /// otherwise.
    private let skipsDeleted: Bool
    private let limit: Int
    private let maxBytes: Int
    private let maxRecords: Int
    private let readPolicy: ModelReadPolicy
    /// Nil unless the search is a pull.
    private let pull: PullRights?

    init?(_ query: CheckedQuery, gate: ReadFilter, pull: PullRights?, maxRecords: Int) {
        guard query.order.isByChange, query.canWalk, query.keepsText, query.fields == nil,
            query.includesNames, let isOfPresent = query.condition.isOfPresentChanges,
            isOfPresent || query.includesDeleted
        else { return nil }
        model = query.model.name
        after = query.condition.changedAfter ?? Instant(milliseconds: .min)
        skipsDeleted = isOfPresent
        limit = query.limit
        maxBytes = query.pageBytes
        self.maxRecords = maxRecords
        readPolicy = gate.readPolicy(of: query.model.name)
        self.pull = pull
    }

    func page(in transaction: any SearchTransaction) throws -> StampedPage? {
        if let pull {
            let changes = try transaction.readPolicyChanges(of: pull.login)
            // A deployment that leaves the rights of the asker as they are is no reason to tell
            // anything again.
            if let last = changes.last, after < last.lastStamp,
                !pull.former(changes).changes(after: after).isEmpty
            {
                return nil
            }
        }
        let start = try transaction.sequence(atStamp: after)
        guard let (page, end) = try records(after: start, in: transaction),
            try pull == nil || !hasDepartures(after: start, through: end, in: transaction)
        else { return nil }
        return page
    }

    /// Returns nil if the page needs more than the rows of records, or is too much for one read.
    /// `end` is the sequence up to which everything was read.
    private func records(
        after start: Int64, in transaction: any SearchTransaction
    ) throws -> (page: StampedPage, end: Int64)? {
        var (page, sequence, rest) = (StampedPage(), start, maxRecords)
        var isAtEnd = false
        while page.count <= limit, !isAtEnd {
            guard rest > 0 else { return nil }
            let wanted = rest < maxRecords ? BatchSize.maxCount : limit + 1
            let records = try transaction.stampedRecords(
                of: model, changedAfter: sequence, atMost: min(rest, wanted), maxBytes: maxBytes)
            guard
                page.add(
                    records, through: readPolicy, skippingDeleted: skipsDeleted, upTo: limit + 1),
                page.storedBytes < maxBytes, page.heldBytes < 2 * maxBytes
            else { return nil }
            rest -= records.count
            sequence = records.lastSequence ?? sequence
            isAtEnd = !records.hasMore
        }
        page.end(at: limit)
        return (page, isAtEnd ? .max : sequence)
    }

    /// Whether the asker may have to hear of records that are gone or went out of sight.
    private func hasDepartures(
        after start: Int64, through end: Int64, in transaction: any SearchTransaction
    ) throws -> Bool {
        if start < (try transaction.currentState().moment.purgeHorizon) {
            let purged = try transaction.purgedRecords(
                of: model, deletedAfter: start, through: end, atMost: Self.maxDepartures)
            let isTold = purged.contains { readPolicy.view(of: $0.record.ownership) != .nothing }
            guard !isTold, purged.count < Self.maxDepartures else { return true }
        }
        let reassignments = try transaction.reassignments(
            of: model, after: start, through: end, atMost: Self.maxDepartures)
        return reassignments.count == Self.maxDepartures
            || reassignments.contains { readPolicy.view(of: $0.found.record.ownership) == .nothing }
    }
}

extension FilterCondition {
    /// Whether deleted records do not match, if the condition asks for nothing else but what
    /// changed after a time; nil for another one.
    fileprivate var isOfPresentChanges: Bool? {
        switch self {
        case .all(let conditions):
            var isOfPresent = false
            for condition in conditions {
                guard let part = condition.isOfPresentChanges else { return nil }
                isOfPresent = isOfPresent || part
            }
            return isOfPresent
        case .compares(.changedAt, .greater, .value(.date)),
            .compares(.changedAt, .greaterOrEqual, .value(.date)):
            return false
        case .isPresent:
            return true
        case .any, .not, .isNull, .compares, .isAmong, .hasPrefix, .isLike, .inside, .isWithin,
            .computes:
            return nil
        }
    }
}
