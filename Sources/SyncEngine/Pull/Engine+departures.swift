import AccessPolicy
import DefinitionModel

/// A record that went out of its asker's sight.
package struct DepartedRecord: Hashable, Sendable {
    package let guid: String
    /// The opaque id; the guid if the record has none.
    package let id: String
    /// The stamp of the creation.
    package let createdAt: Instant
    /// The stamp of the last change.
    package let changedAt: Instant
}

extension Engine {
    /// Returns records of a model that were given to others after a stamp, so that the asker, who
    /// saw them before, no longer does: for wires whose clients know a time in place of a cursor.
    /// In the order of their last changes. There may be more if there are `limit` of them.
    ///
    /// - Parameter last: The stamp of the last change to be considered; nil considers all.
    package func departed(
        from model: String, after stamp: Instant, through last: Instant?, atMost limit: Int,
        for caller: Caller
    ) async throws(SyncError) -> [DepartedRecord] {
        let filter = ReadFilter(rules: rules, asker: caller.asker)
        let policy = rules.policy.readPolicy(of: model, for: caller.asker.role)
        let visible = Relationship.all.filter { policy.view(at: $0) != .nothing }
        guard !visible.isEmpty, visible.count < Relationship.all.count else { return [] }
        let guids = try await guids(
            departedFrom: model, after: stamp, through: last, atMost: limit, filter)
        guard !guids.isEmpty else { return [] }
        let found = try await reading { () async throws(StoreError) in
            try await store.search(in: environment, readingNames: true) { try $0.records(guids) }
        }
        return found.compactMap { found -> DepartedRecord? in
            guard let found, last.map({ found.change.stamp <= $0 }) ?? true,
                filter.view(of: model, found.record.ownership) == .nothing
            else { return nil }
            return DepartedRecord(
                guid: found.record.guid, id: found.name ?? found.record.guid,
                createdAt: found.createdAt, changedAt: found.change.stamp)
        }.sorted { $0.changedAt < $1.changedAt }
    }

    private func guids(
        departedFrom model: String, after stamp: Instant, through last: Instant?,
        atMost limit: Int, _ filter: ReadFilter
    ) async throws(SyncError) -> [String] {
        let (start, end) = try await reading { () async throws(StoreError) in
            try await store.search(in: environment, readingNames: false) { transaction in
                (
                    try transaction.sequence(atStamp: stamp),
                    try last.map(transaction.sequence) ?? transaction.currentState().moment.sequence
                )
            }
        }
        var (guids, position) = ([String](), start)
        while position < end, guids.count < limit {
            guard !Task.isCancelled else { throw .store(.cancelled) }
            // No more records than changes.
            let most = Int(min(Int64(limits.scannedRecords), end - position))
            var request = PageRequest(
                environment: environment, afterSequence: position, limit: most, maxScanned: most,
                maxBytes: limits.pageBytes, skipsDeleted: false, knownSequence: start)
            request.readable = filter.readable
            let asked = request
            let page = try await reading { () async throws(StoreError) in
                try await store.page(asked)
            }
            let content = page.content
            for place in 0..<content.count where guids.count < limit {
                let names = content.rows[place].names
                guard content.text(at: names.model).hasSameBytes(as: model),
                    filter.view(of: model, content.ownership(names)) == .nothing,
                    content.past(at: place).ownershipChanges.contains(where: {
                        filter.view(of: model, $0.former) != .nothing
                    })
                else { continue }
                guids.append(content.guid(at: place))
            }
            guard page.hasMore else { break }
            position = page.lastScanned
        }
        return guids
    }
}

extension SearchTransaction {
    /// Returns the highest sequence such that no record last changed up to it has a later stamp.
    /// Stamps ascend with sequences, so a binary search of the changes finds it.
    package func sequence(atStamp stamp: Instant) throws -> Int64 {
        var known: Int64 = 0
        var end = try currentState().moment.sequence
        while known < end {
            let middle = known + (end - known) / 2
            if let change = try firstChange(after: middle), change.stamp <= stamp {
                known = change.sequence
            } else {
                end = middle
            }
        }
        return known
    }
}
