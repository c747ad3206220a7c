/// Records of one model in the order of their changes, with their stamps and opaque ids. Their
/// texts share one buffer; see `PageRecords`.
package struct StampedRecords: Sendable {
    package private(set) var content = PageRecords()
    private var stamps: [Stamps] = []
    /// Opaque ids by the index of the record; few records have one.
    private var names: [Int: String] = [:]
    /// Whether more may follow.
    package var hasMore = false

    package struct Stamps: Sendable {
        package let createdAt: Instant
        package let changedAt: Instant

        package init(createdAt: Instant, changedAt: Instant) {
            self.createdAt = createdAt
            self.changedAt = changedAt
        }
    }

    package init() {}

    package mutating func append(_ record: ReadRecord, _ stamps: Stamps, name: String?) {
        content.append(record, ownershipChanges: [])
        append(stamps, name: name)
    }

    package mutating func append(_ found: FoundRecord) {
        content.append(
            found.record,
            RecordPast(
                created: found.created, lastChanged: found.change.sequence, ownershipChanges: []))
        append(
            Stamps(createdAt: found.createdAt, changedAt: found.change.stamp), name: found.name)
    }

    private mutating func append(_ stamps: Stamps, name: String?) {
        if let name { names[self.stamps.count] = name }
        self.stamps.append(stamps)
    }

    package var count: Int { stamps.count }
    package var textBytes: Int { content.textBytes }

    /// Sequence of the last change of the last record.
    package var lastSequence: Int64? { content.rows.last?.lastChanged }

    func stamps(at place: Int) -> Stamps { stamps[place] }
    func name(at place: Int) -> String? { names.isEmpty ? nil : names[place] }
}

extension SearchTransaction {
    /// Reads found records, for stores without a read of their own.
    package func stampedRecords(
        of model: String, changedAfter sequence: Int64, atMost count: Int, maxBytes: Int
    ) throws -> StampedRecords {
        var (records, last) = (StampedRecords(), sequence)
        var batch = BatchSize()
        while records.count < count, records.textBytes < maxBytes {
            let limit = ReadLimit(
                rows: min(batch.count, count - records.count), bytes: maxBytes - records.textBytes)
            let found = try self.records(of: model, changedAfter: last, atMost: limit)
            for record in found { records.append(record) }
            guard limit.isReached(by: found), let end = found.last else { return records }
            last = end.change.sequence
            batch.adjust(after: found.fieldBytes)
        }
        records.hasMore = true
        return records
    }
}
