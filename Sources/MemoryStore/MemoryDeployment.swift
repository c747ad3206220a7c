import DefinitionModel
import SyncEngine

/// A deployment on a copy of the environment.
final class MemoryDeployment: DeploymentTransaction {
    private(set) var environment: Environment

    /// Whether a user is signed in to the environment.
    private let hasSessions: Bool

    init(_ environment: Environment, hasSessions: Bool) {
        self.environment = environment
        self.hasSessions = hasSessions
    }

    func isUsed() -> Bool {
        hasSessions || environment.sequence > 0 || !environment.progress.isEmpty
    }

    func setInstance(_ instance: String) { environment.instance = instance }

    func discardUniqueValues() { environment.holders = [:] }

    func takeIfFree(_ holdings: [UniqueHolding]) -> [Bool] {
        holdings.map { holding in
            guard environment.holders[holding.value] == nil else { return false }
            environment.holders[holding.value] = holding.guid
            return true
        }
    }

    func records(after sequence: Int64, atMost count: Int) -> [SequencedRecord] {
        let records = environment.records.values.filter { $0.sequence > sequence }
            .sorted { $0.sequence < $1.sequence }
        return records.prefix(count).map {
            SequencedRecord(sequence: $0.sequence, record: $0.stored)
        }
    }

    func rewrite(_ records: [SequencedRecord]) {
        for entry in records {
            environment.records[ByteKey(entry.record.guid)]?.stored = entry.record
        }
    }

    func renamePurged(_ models: [String: String]) {
        for (guid, record) in environment.purged {
            guard let name = models[record.stored.model] else { continue }
            environment.purged[guid]?.stored.model = name
        }
    }

    /// The number of an entry is its place in the history, from 1.
    func history(of guid: String, after number: Int64, atMost count: Int) -> [NumberedText] {
        let entries = environment.history[ByteKey(guid)] ?? []
        let texts = entries.enumerated().map { place, entry in
            NumberedText(number: Int64(place) + 1, text: entry.fieldsText)
        }
        return Array(texts.filter { $0.number > number }.prefix(count))
    }

    func rewriteHistory(of guid: String, _ fields: [NumberedText]) {
        let key = ByteKey(guid)
        environment.history[key] = environment.history[key]?.enumerated().map { place, entry in
            let text = fields.first { $0.number == Int64(place) + 1 }?.text
            return text.map(entry.with) ?? entry
        }
    }

    func conflicts(of guid: String, after revision: Int64, atMost count: Int) -> [NumberedText] {
        let conflicts = (environment.conflicts[ByteKey(guid)] ?? []).map(\.stored)
        let texts = conflicts.filter { $0.revision > revision }
            .sorted { $0.revision < $1.revision }
            .map { NumberedText(number: $0.revision, text: $0.text) }
        return Array(texts.prefix(count))
    }

    func rewriteConflicts(of guid: String, _ texts: [NumberedText]) {
        let key = ByteKey(guid)
        environment.conflicts[key] = environment.conflicts[key]?.map { conflict in
            let text = texts.first { $0.number == conflict.stored.revision }?.text
            return text.map(conflict.with) ?? conflict
        }
    }
}

extension HistoryEntry {
    fileprivate func with(fieldsText: String) -> HistoryEntry {
        HistoryEntry(
            guid: guid, revision: revision, kind: kind, changeID: changeID, login: login,
            deviceCategory: deviceCategory, deviceIdentifier: deviceIdentifier, at: at,
            wasDeleted: wasDeleted, fieldsText: fieldsText)
    }
}

extension MemoryConflict {
    fileprivate func with(text: String) -> MemoryConflict {
        MemoryConflict(
            stored: StoredConflict(
                guid: stored.guid, revision: stored.revision, device: stored.device, text: text),
            isOpen: isOpen)
    }
}
