import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine

/// A decided push of whole records.
struct FullBatch {
    private let facts: Facts
    private let author: Author
    private let rules: Rules
    /// By guid.
    private let plans: [String: PlannedChanges]
    private let changes: [Change]
    private let salvaged: SalvagedBatch
    /// By change id.
    private var refusalsOfChanges: [String: RefusedInput] = [:]
    /// The refused data, in the order of the records.
    private(set) var refusals: [RefusedInput] = []

    init(
        _ records: [RepairedRecord], given facts: Facts, confirmed: Confirmed, by author: Author,
        under rules: Rules, unless cancellation: Cancellation? = nil
    ) throws(StoreError) {
        var plans: [String: PlannedChanges] = [:]
        var changes: [Change] = []
        for repaired in records {
            if let cancellation, cancellation.isCancelled { throw .cancelled }
            let plan = try planChanges(
                of: repaired.record, given: facts, confirmed: confirmed, by: author, under: rules)
            plans[repaired.record.guid] = plan
            changes += plan.changes
        }
        self.facts = facts
        self.author = author
        self.rules = rules
        self.plans = plans
        self.changes = changes
        salvaged = try salvage(
            changes, given: facts, by: rules, author: author, unless: cancellation)
        for repaired in records {
            guard let plan = plans[repaired.record.guid] else { continue }
            for change in plan.changes {
                guard let refusal = refusal(of: change, in: repaired) else { continue }
                refusalsOfChanges[change.id] = refusal
                refusals.append(refusal)
            }
            refusals += losses(of: repaired, plan)
        }
    }

    var outcomes: [Outcome] { salvaged.decided.outcomes }

    /// Guids of files in values that did not take effect.
    var refusedFiles: Set<String> {
        let refused = salvaged.refused.values.map(\.fields)
        let lost = plans.values.flatMap { $0.lostChanges.map(\.fields) }
        return (refused + lost).reduce(into: []) { $0.formUnion($1.fileGuids) }
    }

    var hiddenClashes: Int { salvaged.hiddenClashes }

    var tellsLosses: Bool { plans.values.contains { $0.isLost && $0.isToldAgain } }

    /// The writes, without outcomes: repetitions are recognised by the history. A record that the
    /// device must be sent again gets a new sequence, unless it was changed or refused.
    ///
    /// `added` are the refusals that are noted in the history of their records. A repeated one was
    /// noted before.
    func writes(noting added: Set<RefusedInput>) throws(StoreError) -> WriteSet {
        var writes = salvaged.decided.writes
        writes.outcomes = []
        let again = Set(plans.filter(\.value.isToldAgain).keys)
            .subtracting(owedRecords).subtracting(writes.records.map(\.guid))
        writes.records += again.sorted().compactMap { facts.records[$0] }
        try note(added, in: &writes)
        return writes
    }

    /// Unchanged records that the device must be sent, because it has values that were refused.
    var owedRecords: [String] {
        let written = Set(salvaged.decided.writes.records.map(\.guid))
        let refused = Set(changes.filter { salvaged.refused[$0.id] != nil }.map(\.guid))
        return refused.subtracting(written).filter { plans[$0]?.isToldAgainIfRefused ?? false }
            .sorted()
    }
}

// MARK: - Refusals

extension FullBatch {
    private func losses(of repaired: RepairedRecord, _ plan: PlannedChanges) -> [RefusedInput] {
        plan.lostChanges.map { change in
            RefusedInput(
                of: change, repaired.sent(change.fields), by: author.device, denials(of: change))
        }
    }

    /// The refused part of a change, together with the values that were repaired in the rest.
    private func refusal(of change: Change, in repaired: RepairedRecord) -> RefusedInput? {
        let part = salvaged.refused[change.id]
        let refused = part?.fields ?? [:]
        let altered = change.fields.filter {
            refused[$0.key] == nil && repaired.originals[$0.key] != nil
        }
        guard part != nil || !altered.isEmpty else { return nil }
        var budget = PatternBudget()
        let causes = altered.keys.sorted().flatMap {
            repaired.causes(in: $0, under: rules, within: &budget)
        }
        return RefusedInput(
            of: change, repaired.sent(refused.merging(altered) { refused, _ in refused }),
            by: author.device, (part?.causes ?? []) + causes)
    }

    /// Why the author may not change a record that is not theirs to see any more.
    private func denials(of change: Change) -> [Cause] {
        guard let record = facts.records[change.guid], let model = rules.model(named: change.model)
        else { return [] }
        return rules.book.denials(
            of: change.action.operation, fields: [], model: model, record: record.ownership,
            asker: author.asker)
    }
}

extension RepairedRecord {
    /// Values as the client sent them.
    func sent(_ fields: [String: GivenValue]) -> [String: JSONValue] {
        Dictionary(
            uniqueKeysWithValues: fields.map { name, value in
                (name, record.unreadable[name] ?? (originals[name] ?? value).json)
            })
    }
}

// MARK: - History

extension FullBatch {
    /// Notes in the history of records what was refused of them. Only users who may see a record
    /// can add to its history.
    private func note(
        _ added: Set<RefusedInput>, in writes: inout WriteSet
    ) throws(StoreError) {
        guard !added.isEmpty else { return }
        let written = Dictionary(
            writes.records.map { ($0.guid, $0) }, uniquingKeysWith: { _, later in later })
        for change in changes {
            guard let part = salvaged.refused[change.id],
                refusalsOfChanges[change.id].map(added.contains) ?? false,
                let record = written[change.guid] ?? facts.records[change.guid],
                record.model.hasSameBytes(as: change.model), isVisible(record)
            else { continue }
            let values = try notable(part, of: record, in: &writes)
            guard !values.isEmpty || (change.action == .delete && part.isWhole) else { continue }
            writes.history.append(
                HistoryEntry(
                    guid: record.guid, revision: record.revision, kind: .discarded,
                    changeID: "\(change.id)-refused", login: author.asker.login,
                    deviceCategory: author.asker.role.deviceCategory,
                    deviceIdentifier: author.deviceIdentifier, at: author.now,
                    wasDeleted: record.isDeleted, fieldsText: JSONText.text(of: values)))
        }
    }

    private func isVisible(_ record: StoredRecord) -> Bool {
        rules.policy.readPolicy(of: record.model, for: author.asker.role)
            .view(of: record.ownership, for: author.asker) != .nothing
    }

    /// The refused values that the history can hold: those of the type of their field. A file is
    /// kept with them if it is the author's; naming another one would give access to it.
    private func notable(
        _ part: RefusedPart, of record: StoredRecord, in writes: inout WriteSet
    ) throws(StoreError) -> [String: JSONValue] {
        let present = Set(try JSONText.fields(record.fieldsText).values.compactMap(\.fileGuid))
        var values: [String: JSONValue] = [:]
        for (name, given) in part.fields
        where rules.model(named: record.model)?.field(named: name) != nil {
            switch given {
            case .unreadable, .edited: continue
            case .value(.file(let file)):
                guard isOwn(file.guid) else { continue }
                writes.namedFiles.insert(file.guid)
                if !present.contains(file.guid) {
                    writes.formerLinks.append(
                        RecordLink(source: record.guid, target: file.guid))
                }
            case .null, .value, .added: break
            }
            values[name] = given.json
        }
        return values
    }

    /// Whether the file is the author's, or becomes theirs because nobody knows it.
    private func isOwn(_ file: String) -> Bool {
        guard let asked = facts.files[file] else { return false }
        return asked.map { $0.file.login.hasSameBytes(as: author.asker.login) } ?? true
    }
}

extension [String: GivenValue] {
    /// The guids of the files that the values name.
    var fileGuids: Set<String> {
        Set(
            values.compactMap { value in
                if case .value(.file(let file)) = value { file.guid } else { nil }
            })
    }
}

extension JSONValue {
    /// The guid in the value of a file field.
    var fileGuid: String? {
        guard case .object(let members) = self, case .string(let guid)? = members["guid"] else {
            return nil
        }
        return guid
    }
}
