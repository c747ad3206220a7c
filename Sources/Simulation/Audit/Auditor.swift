import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import SyncProtocol

/// Records every change with its outcome and every record as stored, and checks the invariants.
///
/// The auditor reads the store directly, without the engine, and derives its expectations from the
/// definition alone.
struct Auditor: Sendable {
    /// The current ones.
    var rules: Rules { versions[versions.count - 1] }
    /// The rules of every deployed definition, in the order of deployment.
    private(set) var versions: [Rules]
    /// The current version.
    private(set) var served: AppVersion
    let referenceStore: any Store
    let environment: EnvironmentID

    private(set) var changes: [ChangeName: AuditedChange] = [:]
    private(set) var records: [String: AuditedRecord] = [:]
    private(set) var timelines: [String: RecordTimeline] = [:]
    /// Guids of purged records.
    private(set) var purged: Set<String> = []
    /// By guid, the owners of each record, the first one first; including swept records.
    private(set) var owners: [String: [OwnedSince]] = [:]
    /// Every user who made a request, in every role they had.
    private(set) var askers: Set<Asker> = []
    /// By guid.
    private(set) var effects: [String: LastEffect] = [:]
    private var sequence: Int64 = 0
    /// The app of the audited device; nil if it is that of now.
    var app: AppVersion?
    var counts = HistoryCounts()

    init(_ version: AppVersion, referenceStore: any Store, environment: EnvironmentID) {
        versions = [version.rules]
        served = version
        self.referenceStore = referenceStore
        self.environment = environment
    }

    /// Whether the definition changes from version to version.
    var isEvolving: Bool { !served.vocabulary.models.isEmpty }

    mutating func note(_ change: WaitingChange, by participant: Participant) {
        changes[ChangeName(change.message.id, by: participant)] = AuditedChange(change: change)
    }

    /// Forgets all records, to read everything that is stored again.
    mutating func forget() {
        records = [:]
        sequence = 0
    }

    /// Forgets a purged record.
    mutating func forget(_ guid: String) {
        records[guid] = nil
        timelines[guid] = nil
        purged.insert(guid)
    }

    mutating func note(_ version: AppVersion) {
        versions.append(version.rules)
        served = version
        records = records.mapValues { $0.widened(by: version.rules) }
        for guid in timelines.keys {
            guard let model = records[guid]?.stored.model else { continue }
            timelines[guid]?.widen(by: version.rules.model(named: model))
        }
    }

    mutating func note(_ asker: Asker) { askers.insert(asker) }

    mutating func note(_ outcome: OutcomeMessage, of name: ChangeName) {
        changes[name]?.outcome = outcome
    }

    /// An unsent change in the words of an updated app, if it was sent before.
    mutating func note(_ change: WaitingChange, asUpdatedBy participant: Participant) {
        let name = ChangeName(change.message.id, by: participant)
        guard let known = changes[name], known.outcome == nil else { return }
        changes[name] = AuditedChange(change: change)
    }

    /// Reads what was written since the last call; returns the guids.
    mutating func readOn() async throws(StoreError) -> [String] {
        let page = try await referenceStore.page(.everything(in: environment, after: sequence))
        for record in page.records {
            if records[record.guid]?.stored.revision != record.revision {
                effects[record.guid] = LastEffect(revision: record.revision, after: sequence)
            }
            records[record.guid] = try AuditedRecord(
                record, conflicts: page.conflicts[record.guid] ?? [],
                in: served.vocabulary)
            if owners[record.guid]?.last?.ownership != record.ownership {
                owners[record.guid, default: []].append(
                    OwnedSince(revision: record.revision, ownership: record.ownership))
            }
        }
        sequence = page.lastSequence
        return page.records.map(\.guid)
    }

    /// Reads the new entries in the history of records.
    mutating func readTimelines(of guids: Set<String>) async throws(StoreError) {
        let need = ReadSet(
            environment: environment, device: DeviceKey(login: "", deviceIdentifier: ""),
            changeIDs: [], guids: guids.sorted(),
            baseRevisions: Dictionary(uniqueKeysWithValues: guids.map { ($0, 0) }))
        let history = try await referenceStore.commit(need) { _ in
            []
        } deciding: { facts in
            (WriteSet(), facts.history)
        }
        for (guid, entries) in history {
            let model = records[guid]?.stored.model ?? ""
            try timelines[guid, default: RecordTimeline()].readOn(
                entries, of: model, in: served.vocabulary)
        }
    }
}

/// The id of a change together with its device.
struct ChangeName: Hashable, Sendable {
    let id: String
    let login: String
    let deviceIdentifier: String

    init(_ id: String, by participant: Participant) {
        self.id = id
        login = participant.login
        deviceIdentifier = participant.deviceIdentifier
    }

    func isOfSameDevice(as other: ChangeName) -> Bool {
        login == other.login && deviceIdentifier == other.deviceIdentifier
    }

    init(_ entry: HistoryEntry) {
        id = entry.changeID
        login = entry.login
        deviceIdentifier = entry.deviceIdentifier
    }
}

struct AuditedChange: Sendable {
    let change: WaitingChange
    var outcome: OutcomeMessage?
}

/// A stored record with its decoded fields, in lasting words.
struct AuditedRecord: Hashable, Sendable {
    let stored: StoredRecord
    private(set) var fields: [String: JSONValue]
    /// The open conflicts, oldest first.
    private(set) var conflicts: [ConflictMessage]

    init(
        _ stored: StoredRecord, conflicts: [StoredConflict], in words: Vocabulary
    ) throws(StoreError) {
        guard let model = words.lasting(stored.model) else {
            throw .unreadable("no version has the model '\(stored.model)'")
        }
        var lasting = stored
        lasting.model = model
        // A deployment may rename what is in the text.
        lasting.fieldsText = ""
        self.stored = lasting
        fields = try readFields(stored.fieldsText, of: model, in: words)
        self.conflicts = try conflicts.map { conflict throws(StoreError) in
            try readConflict(conflict.text, of: model, in: words)
        }
    }

    /// The record after a deployment, which makes whole numbers decimals.
    func widened(by rules: Rules) -> AuditedRecord {
        let model = rules.model(named: stored.model)
        var record = self
        record.fields = fields.widened(by: model)
        record.conflicts = conflicts.map { conflict in
            var conflict = conflict
            conflict.base.fields = conflict.base.fields.widened(by: model)
            conflict.mine.fields = conflict.mine.fields.widened(by: model)
            conflict.theirs.fields = conflict.theirs.fields.widened(by: model)
            return conflict
        }
        return record
    }
}

extension [String: JSONValue] {
    /// Stored values after a deployment.
    func widened(by model: ModelRules?) -> Self {
        var widened = self
        for (name, value) in self {
            if let type = model?.field(named: name)?.type, type.name == .decimal {
                widened[name] = type.written(value)
            }
        }
        return widened
    }
}

/// The stored fields of a record in lasting words.
func readFields(
    _ text: String, of model: String, in words: Vocabulary
) throws(StoreError) -> [String: JSONValue] {
    let json: JSONValue
    do {
        json = try parseJSON(Array(text.utf8))
    } catch {
        throw .unreadable("\(error)")
    }
    guard case .object(let fields) = json else {
        throw .unreadable("stored fields are no JSON object")
    }
    return try lasting(fields, of: model, in: words)
}

private func readConflict(
    _ text: String, of model: String, in words: Vocabulary
) throws(StoreError) -> ConflictMessage {
    var conflict: ConflictMessage
    do {
        conflict = try decodeMessage(ConflictMessage.self, from: Array(text.utf8))
    } catch {
        throw .unreadable("\(error)")
    }
    conflict.base.fields = try lasting(conflict.base.fields, of: model, in: words)
    conflict.mine.fields = try lasting(conflict.mine.fields, of: model, in: words)
    conflict.theirs.fields = try lasting(conflict.theirs.fields, of: model, in: words)
    return conflict
}

private func lasting(
    _ fields: [String: JSONValue], of model: String, in words: Vocabulary
) throws(StoreError) -> [String: JSONValue] {
    try words.lasting(fields, of: model) { name in
        StoreError.unreadable("no version has the field '\(name)' of '\(model)'")
    }
}

extension PageRequest {
    static func everything(
        in environment: EnvironmentID, after sequence: Int64 = 0
    ) -> PageRequest {
        PageRequest(
            environment: environment, afterSequence: sequence, limit: .max, maxScanned: .max,
            maxBytes: .max, skipsDeleted: false, knownSequence: 0)
    }
}

/// The ownership of a record from a revision on.
struct OwnedSince: Hashable, Sendable {
    let revision: Int64
    let ownership: Ownership
}
