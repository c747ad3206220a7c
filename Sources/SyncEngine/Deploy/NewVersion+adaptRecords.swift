extension NewVersion {
    /// Adapts the stored records to this version, and returns how many were rewritten.
    ///
    /// Throws `DeploymentRefusal.valuesNotUnique` if records have equal values in a unique field.
    /// Reads in batches, which bounds the memory. If the version replaces the instance, it throws
    /// `instanceInUse` unless the environment is unused.
    package func adaptRecords(in transaction: any DeploymentTransaction) throws -> Int {
        if replacesInstance {
            guard try !transaction.isUsed() else { throw DeploymentRefusal.instanceInUse }
            try transaction.setInstance(instance)
        }
        if adaptation.renewsHolders { try transaction.discardUniqueValues() }
        let names = adaptation.renamedModels
        if !names.isEmpty { try transaction.renamePurged(names) }
        guard adaptation.readsRecords else { return 0 }
        var run = AdaptationRun(adaptation, transaction)
        try run.adaptRecords()
        guard run.repeated.isEmpty else { throw DeploymentRefusal(run.repeated) }
        return run.rewritten
    }
}

/// Carries out an adaptation.
private struct AdaptationRun {
    private let adaptation: Adaptation
    private let transaction: any DeploymentTransaction
    /// The number of rewritten records.
    private(set) var rewritten = 0
    /// The number of values that another record holds.
    private(set) var repeated: [RepeatedField: Int] = [:]

    init(_ adaptation: Adaptation, _ transaction: any DeploymentTransaction) {
        self.adaptation = adaptation
        self.transaction = transaction
    }

    mutating func adaptRecords() throws {
        var batch = BatchSize()
        var last: Int64 = 0
        while true {
            let count = batch.count
            let records = try transaction.records(after: last, atMost: count)
            try adapt(records)
            guard records.count == count, let end = records.last?.sequence else { return }
            last = end
            batch.adjust(after: records.reduce(0) { $0 + $1.record.fieldsText.utf8.count })
        }
    }

    private mutating func adapt(_ records: [SequencedRecord]) throws {
        var changed: [SequencedRecord] = []
        var holdings: [UniqueHolding] = []
        for entry in records {
            let adapted = try adaptation.adapted(entry.record)
            if adapted.record != entry.record {
                changed.append(
                    SequencedRecord(sequence: entry.sequence, record: adapted.record))
            }
            if adapted.changesFields { try adaptPast(of: entry.record) }
            holdings += adapted.uniqueValues.map {
                UniqueHolding(value: $0, guid: entry.record.guid)
            }
        }
        rewritten += changed.count
        if !changed.isEmpty { try transaction.rewrite(changed) }
        if !holdings.isEmpty { try take(holdings) }
    }

    private mutating func take(_ holdings: [UniqueHolding]) throws {
        for (holding, isTaken) in zip(holdings, try transaction.takeIfFree(holdings))
        where !isTaken {
            let field = RepeatedField(model: holding.value.model, name: holding.value.field)
            repeated[field, default: 0] += 1
        }
    }

    /// Adapts the history of a record, and its conflicts, open and closed.
    private func adaptPast(of record: StoredRecord) throws {
        let guid = record.guid
        try adaptTexts { last, count in
            try transaction.history(of: guid, after: last, atMost: count)
        } adapted: { text in
            try adaptation.adaptedFields(text, of: record.model)
        } rewrite: { texts in
            try transaction.rewriteHistory(of: guid, texts)
        }
        try adaptTexts { last, count in
            try transaction.conflicts(of: guid, after: last, atMost: count)
        } adapted: { text in
            try adaptation.adaptedConflict(text, of: record.model)
        } rewrite: { texts in
            try transaction.rewriteConflicts(of: guid, texts)
        }
    }
}

/// Rewrites the texts that an adaptation changes. `read` gets the number of the last text of the
/// previous batch, and the maximum number of texts.
private func adaptTexts(
    read: (_ last: Int64, _ count: Int) throws -> [NumberedText],
    adapted: (String) throws -> String, rewrite: ([NumberedText]) throws -> Void
) throws {
    var batch = BatchSize()
    var last: Int64 = 0
    while true {
        let count = batch.count
        let texts = try read(last, count)
        let changed = try texts.compactMap { entry -> NumberedText? in
            let text = try adapted(entry.text)
            return text == entry.text ? nil : NumberedText(number: entry.number, text: text)
        }
        if !changed.isEmpty { try rewrite(changed) }
        guard texts.count == count, let end = texts.last?.number else { return }
        last = end
        batch.adjust(after: texts.reduce(0) { $0 + $1.text.utf8.count })
    }
}
