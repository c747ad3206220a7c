import AccessPolicy
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
    /// By model, the fields that the app of the audited device does not know.
    var unknown: [String: Set<String>] = [:]
    var counts = HistoryCounts()

    init(rules: Rules, referenceStore: any Store, environment: EnvironmentID) {
        versions = [rules]
        self.referenceStore = referenceStore
        self.environment = environment
    }

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

    mutating func note(_ rules: Rules) { versions.append(rules) }

    mutating func note(_ asker: Asker) { askers.insert(asker) }

    mutating func note(_ outcome: OutcomeMessage, of name: ChangeName) {
        changes[name]?.outcome = outcome
    }

    /// Reads what was written since the last call; returns the guids.
    mutating func readOn() async throws(StoreError) -> [String] {
        let page = try await referenceStore.page(.everything(in: environment, after: sequence))
        for record in page.records {
            if records[record.guid]?.stored.revision != record.revision {
                effects[record.guid] = LastEffect(revision: record.revision, after: sequence)
            }
            records[record.guid] = try AuditedRecord(
                record, conflicts: page.conflicts[record.guid] ?? [])
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
            try timelines[guid, default: RecordTimeline()].readOn(entries)
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

/// A stored record with its decoded fields.
struct AuditedRecord: Hashable, Sendable {
    let stored: StoredRecord
    let fields: [String: JSONValue]
    /// The open conflicts, oldest first.
    let conflicts: [ConflictMessage]

    init(_ stored: StoredRecord, conflicts: [StoredConflict]) throws(StoreError) {
        self.stored = stored
        fields = try readFields(stored.fieldsText)
        self.conflicts = try conflicts.map { conflict throws(StoreError) in
            try readConflict(conflict.text)
        }
    }
}

func readFields(_ text: String) throws(StoreError) -> [String: JSONValue] {
    do {
        if case .object(let fields) = try parseJSON(Array(text.utf8)) { return fields }
    } catch {
        throw .unreadable("\(error)")
    }
    throw .unreadable("stored fields are no JSON object")
}

private func readConflict(_ text: String) throws(StoreError) -> ConflictMessage {
    do {
        return try decodeMessage(ConflictMessage.self, from: Array(text.utf8))
    } catch {
        throw .unreadable("\(error)")
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
