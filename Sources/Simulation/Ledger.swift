import AccessPolicy
import DefinitionModel
import JSON
import SyncEngine
import SyncProtocol

/// What the auditors write down: every change with its outcome, and every record as it is stored.
///
/// They look at the store behind the engine's back, and decide by the definition alone.
struct Ledger: Sendable {
    /// The current ones.
    var rules: Rules { versions[versions.count - 1] }
    /// Of every definition that was deployed, in that order.
    private(set) var versions: [Rules]
    let truth: any Store
    let environment: EnvironmentID

    private(set) var changes: [ChangeName: LedgerEntry] = [:]
    private(set) var records: [String: AuditedRecord] = [:]
    private(set) var pasts: [String: Past] = [:]
    /// By guid, whose each record was, the first one first; of swept ones too.
    private(set) var owners: [String: [OwnedSince]] = [:]
    /// Everyone who ever asked, in every role they had.
    private(set) var askers: Set<Asker> = []
    private var sequence: Int64 = 0
    var tally = Tally()

    init(rules: Rules, truth: any Store, environment: EnvironmentID) {
        versions = [rules]
        self.truth = truth
        self.environment = environment
    }

    mutating func note(_ change: WaitingChange, by player: Player) {
        changes[ChangeName(change.message.id, by: player)] = LedgerEntry(change: change)
    }

    /// To read all that is stored once more.
    mutating func forget() {
        records = [:]
        sequence = 0
    }

    mutating func forget(_ guid: String) {
        records[guid] = nil
        pasts[guid] = nil
    }

    mutating func note(_ rules: Rules) { versions.append(rules) }

    mutating func note(_ asker: Asker) { askers.insert(asker) }

    mutating func note(_ outcome: OutcomeMessage, of name: ChangeName) {
        changes[name]?.outcome = outcome
    }

    /// Reads what was written since the last time; gives the guids.
    mutating func readOn() async throws(StoreError) -> [String] {
        let page = try await truth.page(.everything(in: environment, after: sequence))
        for record in page.records {
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

    /// Reads what was added to the history of records since the last time.
    mutating func readPasts(of guids: Set<String>) async throws(StoreError) {
        let need = Need(
            environment: environment, device: DeviceKey(login: "", deviceIdentifier: ""),
            changeIDs: [], guids: guids.sorted(),
            baseRevisions: Dictionary(uniqueKeysWithValues: guids.map { ($0, 0) }))
        let history = try await truth.commit(need) { _ in
            []
        } deciding: { facts in
            (Writes(), facts.history)
        }
        for (guid, entries) in history { try pasts[guid, default: Past()].readOn(entries) }
    }
}

/// A device's own name for a change, with the device's.
struct ChangeName: Hashable, Sendable {
    let id: String
    let login: String
    let deviceIdentifier: String

    init(_ id: String, by player: Player) {
        self.id = id
        login = player.login
        deviceIdentifier = player.deviceIdentifier
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

struct LedgerEntry: Sendable {
    let change: WaitingChange
    var outcome: OutcomeMessage?
}

/// A record as it is stored, read.
struct AuditedRecord: Hashable, Sendable {
    let stored: StoredRecord
    let fields: [String: JSONValue]
    /// The open ones, oldest first.
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

/// Whose a record is, from a revision on.
struct OwnedSince: Hashable, Sendable {
    let revision: Int64
    let ownership: Ownership
}
