import ChangeRules
import DefinitionModel
package import SyncEngine

extension MemoryDatabase {
    package func history(_ request: HistoryRequest) throws(StoreError) -> RecordHistory? {
        let environment = try read(request.environment)
        let key = ByteKey(request.guid)
        guard let record = environment.records[key]?.stored else { return nil }
        let numbered = (environment.history[key] ?? []).enumerated()
            .map { (number: Int64($0.offset), entry: $0.element) }
        let wanted = numbered.filter { $0.number < request.before ?? .max }.reversed()
        var bytes = 0
        let page = wanted.prefix(request.limit).prefix { _, entry in
            defer { bytes += entry.fieldsText.utf8.count }
            return bytes < request.maxBytes
        }
        return RecordHistory(
            fingerprint: environment.state.fingerprint, record: record,
            ownershipChanges: environment.ownershipChanges[key] ?? [], entries: page.map(\.entry),
            numbers: page.map(\.number), hasMore: wanted.count > page.count)
    }

    package func openConflictCount(in environment: EnvironmentID) throws(StoreError) -> Int {
        try read(environment).conflicts.values.joined().count(where: \.isOpen)
    }

    package func openConflictsByModel(
        in environment: EnvironmentID
    ) throws(StoreError) -> [ModelConflicts] {
        let environment = try read(environment)
        var counts: [ByteKey: ModelConflicts] = [:]
        for (guid, conflicts) in environment.conflicts {
            let open = conflicts.count(where: \.isOpen)
            guard open > 0, let model = environment.records[guid]?.stored.model else { continue }
            let known = counts[ByteKey(model)]?.count ?? 0
            counts[ByteKey(model)] = ModelConflicts(model: model, count: known + open)
        }
        return counts.sorted { $0.key < $1.key }.map(\.value)
    }

    package func conflicted(_ request: ConflictedRequest) throws(StoreError) -> ConflictedPage {
        let environment = try read(request.environment)
        let wanted = environment.records.values.map(\.stored).filter(request.wants)
            .sorted { RecordPosition($0) < RecordPosition($1) }
        var records: [StoredRecord] = []
        var conflicts: [String: [StoredConflict]] = [:]
        var bytes = 0
        for record in wanted where records.count < request.limit && bytes < request.maxBytes {
            let open = environment.openConflicts(of: record.guid)
            records.append(record)
            conflicts[record.guid] = open
            bytes += open.reduce(record.fieldsText.utf8.count) { $0 + $1.text.utf8.count }
        }
        return ConflictedPage(
            fingerprint: environment.state.fingerprint, records: records, conflicts: conflicts,
            bytes: bytes, hasMore: wanted.count > records.count)
    }
}

extension ConflictedRequest {
    fileprivate func wants(_ record: StoredRecord) -> Bool {
        let isOfModel = model.map { ByteKey($0) == ByteKey(record.model) } ?? true
        let isNamed = guids.map { $0.map(ByteKey.init).contains(ByteKey(record.guid)) } ?? true
        let isAfter =
            after.map { RecordPosition($0.model, $0.guid) < RecordPosition(record) } ?? true
        return record.isConflicted && isOfModel && isNamed && isAfter
    }
}

/// A record's position in the order of model and guid.
private struct RecordPosition: Comparable {
    let model: ByteKey
    let guid: ByteKey

    init(_ model: String, _ guid: String) {
        self.model = ByteKey(model)
        self.guid = ByteKey(guid)
    }

    init(_ record: StoredRecord) { self.init(record.model, record.guid) }

    static func < (left: RecordPosition, right: RecordPosition) -> Bool {
        (left.model, left.guid) < (right.model, right.guid)
    }
}
