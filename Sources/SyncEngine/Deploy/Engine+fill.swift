package import ChangeRules
import DefinitionModel
import JSON

extension Engine {
    /// The records that one step of a fill looks at.
    private static let fillStep = 200

    /// Gives the next records the values that a deployment brings, in one transaction, and returns
    /// how far the fill is then. Each change is one that devices pull, and its history names the
    /// deployment.
    ///
    /// Whether a record needs a value is decided in the transaction: what somebody has set
    /// meanwhile stays. A repeated step does no harm. Deleted records stay as they are, and get
    /// their values when they return. Throws `definitionChanged`.
    ///
    /// - Parameter rules: The rules of the fill, with the names of the served definition.
    package func advance(
        _ fill: DeploymentFill, by rules: FillRules, ofDeployment number: Int64, at now: Instant
    ) async throws(SyncError) -> DeploymentFill {
        let request = PageRequest(
            environment: environment, afterSequence: fill.position, limit: Self.fillStep,
            maxScanned: 10 * Self.fillStep, maxBytes: 1 << 20, skipsDeleted: true,
            knownSequence: fill.position)
        let (page, guids) = try await reading { () async throws(StoreError) in
            let page = try await store.page(request)
            return (page, try page.guids(completedBy: rules))
        }
        try checkIsCurrent(page.fingerprint)
        var count = FillCount()
        if !guids.isEmpty {
            count = try await complete(
                guids, by: rules, author: DeploymentFill.author(ofDeployment: number), at: now)
        }
        var next = fill
        next.filled += count.filled
        next.unfilled += count.unfilled
        // Filled records come again, after the last change of then.
        next.isDone = !page.hasMore && count.filled == 0
        next.position = page.lastSequence
        return next
    }

    private func complete(
        _ guids: [String], by fills: FillRules, author: String, at now: Instant
    ) async throws(SyncError) -> FillCount {
        let need = ReadSet(
            environment: environment, device: DeviceKey(login: author, deviceIdentifier: ""),
            changeIDs: [], guids: Set(guids + fills.namedRecords.keys).sorted(),
            baseRevisions: [:])
        let (rules, maxRevision) = (rules, limits.revisions)
        let result = try await reading { () async throws(StoreError) -> FillCount? in
            try await store.commit(need) { records throws(StoreError) in
                try uniqueValues(of: guids, in: records, by: fills, rules)
            } deciding: { facts throws(StoreError) -> (WriteSet, FillCount?) in
                guard isCurrent(facts.fingerprint) else { return (WriteSet(), nil) }
                var batch = FillBatch(
                    facts: facts, fills: fills, rules: rules, author: author, now: now,
                    maxRevision: maxRevision)
                for guid in guids.sorted() { try batch.complete(guid) }
                historyGauge.note(batch.writes.history)
                return (batch.writes, batch.count)
            }
        }
        guard let result else { throw .definitionChanged }
        return result
    }
}

/// The number of records of a step.
struct FillCount: Hashable, Sendable {
    var filled: Int64 = 0
    /// Records that lack a value and got none.
    var unfilled: Int64 = 0
}

/// The records of a step, decided on what the transaction has read.
struct FillBatch {
    let facts: Facts
    let fills: FillRules
    let rules: Rules
    let author: String
    let now: Instant
    let maxRevision: Int64
    private(set) var writes = WriteSet()
    private(set) var count = FillCount()
    private var taken: Set<UniqueValue> = []

    init(
        facts: Facts, fills: FillRules, rules: Rules, author: String, now: Instant,
        maxRevision: Int64
    ) {
        self.facts = facts
        self.fills = fills
        self.rules = rules
        self.author = author
        self.now = now
        self.maxRevision = maxRevision
        writes.at = now
    }

    mutating func complete(_ guid: String) throws(StoreError) {
        guard let stored = facts.records[guid], !stored.isDeleted,
            let model = rules.model(named: stored.model)
        else { return }
        let before = try JSONText.fields(stored.fieldsText)
        let completion = fills.completion(of: before, ofModel: stored.model)
        let values = completion.values.filter {
            isFree($0.key, $0.value, of: model.model, for: guid)
                && exists($0.key, $0.value, in: model)
        }
        guard !values.isEmpty, stored.revision < maxRevision else {
            if !completion.isEmpty { count.unfilled += 1 }
            return
        }
        write(values, to: stored, before, of: model)
        count.filled += 1
    }

    private mutating func write(
        _ values: [String: JSONValue], to stored: StoredRecord, _ before: [String: JSONValue],
        of model: ModelRules
    ) {
        let after = before.merging(values) { _, filled in filled }
        var next = stored
        next.revision += 1
        next.fieldsText = JSONText.text(ofValuesIn: after, by: model)
        writes.records.append(next)
        writes.link(
            stored.guid, before: LinkTargets(of: model, in: before),
            after: LinkTargets(of: model, in: after))
        let (old, new) = (
            Set(model.model.uniqueValues(in: before)), Set(model.model.uniqueValues(in: after))
        )
        taken.formUnion(new)
        writes.freedValues += old.subtracting(new).map { UniqueHolding(value: $0, guid: next.guid) }
        writes.takenValues += new.subtracting(old).map { UniqueHolding(value: $0, guid: next.guid) }
        writes.history.append(
            HistoryEntry(
                guid: next.guid, revision: next.revision, kind: .filled, changeID: "",
                login: author, deviceCategory: "", deviceIdentifier: "", at: now,
                wasDeleted: false,
                fieldsText: JSONText.text(
                    of: Dictionary(
                        uniqueKeysWithValues: values.keys.map { ($0, before[$0] ?? .null) }))))
    }

    /// Whether no other record has the value, if the field is unique.
    private func isFree(
        _ field: String, _ value: JSONValue, of model: Model, for guid: String
    ) -> Bool {
        model.uniqueValues(in: [field: value]).allSatisfy { value in
            !taken.contains(value)
                && facts.holders[value].map { $0.hasSameBytes(as: guid) } ?? true
        }
    }

    /// Whether the record exists that a constant names. One that was copied is named already.
    private func exists(_ field: String, _ value: JSONValue, in model: ModelRules) -> Bool {
        guard case .belongsTo(let relation)? = model.field(named: field)?.type,
            case .string(let guid) = value, fills.namedRecords[guid] != nil
        else { return true }
        return facts.records[guid].map { $0.model == relation.model && !$0.isDeleted } ?? false
    }
}

private func uniqueValues(
    of guids: [String], in records: [String: StoredRecord], by fills: FillRules, _ rules: Rules
) throws(StoreError) -> Set<UniqueValue> {
    var values: Set<UniqueValue> = []
    for record in guids.compactMap({ records[$0] }) {
        guard let model = rules.model(named: record.model), model.hasUniqueFields else { continue }
        values.formUnion(model.model.uniqueValues(in: try record.completion(by: fills).values))
    }
    return values
}

extension Page {
    /// The records that rules give values to, or would.
    fileprivate func guids(completedBy fills: FillRules) throws(StoreError) -> [String] {
        var guids: [String] = []
        for record in records where !record.isDeleted {
            if try !record.completion(by: fills).isEmpty { guids.append(record.guid) }
        }
        return guids
    }
}

extension StoredRecord {
    fileprivate func completion(
        by fills: FillRules
    ) throws(StoreError) -> FillRules.Completion {
        guard fills.hasRules(forModel: model) else { return FillRules.Completion() }
        return fills.completion(of: try JSONText.fields(fieldsText), ofModel: model)
    }
}

extension WorkingRecord {
    /// Gives a record that returns the values which its definition requires. Returns those that
    /// they replace.
    mutating func complete(by fills: FillRules) -> [String: JSONValue] {
        let values = fills.completion(of: fields, ofModel: stored.model).values
        guard !values.isEmpty else { return [:] }
        let replaced = values.keys.map { ($0, value(of: $0)) }
        fields.merge(values) { _, filled in filled }
        return Dictionary(uniqueKeysWithValues: replaced)
    }
}
