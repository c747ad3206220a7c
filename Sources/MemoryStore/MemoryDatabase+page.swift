import DefinitionModel
package import SyncEngine

extension MemoryDatabase {
    package func page(_ request: PageRequest) throws(StoreError) -> Page {
        try read(request.environment).page(request)
    }

    package func count(_ span: RecordSpan) throws(StoreError) -> SpanCount {
        let environment = try read(span.environment)
        let records = environment.records.values.count {
            $0.sequence > span.after && $0.sequence <= span.through
        }
        return SpanCount(records: records, moment: environment.moment)
    }
}

extension Environment {
    /// Scans records until the page is full or none is left.
    func page(_ request: PageRequest) -> Page {
        let waiting = records.values.filter { $0.sequence > request.afterSequence }
            .sorted { $0.sequence < $1.sequence }
        var shown = PageRecords()
        var conflicts: [String: [StoredConflict]] = [:]
        var (scanned, bytes) = (0, 0)
        for placed in waiting {
            var record = placed.stored
            guard shown.count < request.limit, scanned < request.maxScanned,
                bytes < request.maxBytes
            else { break }
            scanned += 1
            if request.skipsDeleted && placed.isGone { continue }
            let isRead = request.reads(OwnedRecord(of: record))
            if !isRead { record.fieldsText = "{}" }
            shown.append(record, past(of: placed, after: request.knownSequence))
            bytes += record.fieldsText.utf8.count
            guard record.isConflicted, isRead else { continue }
            let open = openConflicts(of: record.guid)
            conflicts[record.guid] = open
            bytes += open.reduce(0) { $0 + $1.text.utf8.count }
        }
        let lastScanned = waiting.prefix(scanned).last?.sequence ?? request.afterSequence
        return Page(
            fingerprint: state.fingerprint, purgeHorizon: purgeHorizon, content: shown,
            conflicts: conflicts,
            lastSequence: scanned < waiting.count
                ? lastScanned : max(request.afterSequence, sequence),
            lastScanned: lastScanned, scanned: scanned, bytes: bytes,
            hasMore: scanned < waiting.count)
    }

    private func past(of record: MemoryRecord, after known: Int64) -> RecordPast {
        RecordPast(
            created: record.created, lastChanged: record.sequence,
            ownershipChanges: (ownershipChanges[ByteKey(record.stored.guid)] ?? []).filter {
                $0.sequence > known
            })
    }
}
