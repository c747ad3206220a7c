import ChangeRules
import Foundation
import JSON
import SyncEngine

/// A version of a record as sent to a client, with its author and time.
struct VersionLine: Encodable, Hashable {
    let model: String
    let guid: String
    let owner: String
    let group: String
    let conflictState: DeliveredLine.ConflictState
    let resolveConflict: Bool
    let fields: [String: JSONValue]
    let user: String
    /// A device category.
    let device: String
    /// Milliseconds since 1970, in UTC.
    let date: Int64

    /// JSON, terminated by `\n`.
    func bytes() throws -> [UInt8] { try lineBytes(of: self) }
}

/// The versions of a record, latest first, reconstructed from the values that each history entry
/// replaced.
struct RecordVersions {
    private let model: ModelMapping
    private let record: RecordView
    private var fields: [String: JSONValue]
    private var owner: String
    private var group: String
    private var isDeleted: Bool

    init(endingWith record: RecordView, in model: ModelMapping) {
        self.model = model
        self.record = record
        fields = record.fields ?? [:]
        owner = record.owner
        group = record.group
        isDeleted = record.isDeleted
    }

    /// The version that the entry produced, or would have produced. Nil if the entry is newer than
    /// the record.
    mutating func next(_ entry: HistoryView) -> VersionLine? {
        guard entry.revision <= record.revision else { return nil }
        if entry.kind == .reassigned {
            owner = entry.owner ?? owner
            group = entry.group ?? group
        }
        let line = line(of: entry)
        if line.takesEffect { undo(entry) }
        return line.value
    }

    private func line(of entry: HistoryView) -> (value: VersionLine, takesEffect: Bool) {
        let wanted = entry.wanted ?? [:]
        let takesEffect = entry.kind != .conflicted && entry.kind != .discarded
        let value = VersionLine(
            model: model.clientName, guid: record.guid, owner: owner, group: group,
            conflictState: entry.kind == .conflicted ? .ofOthers : .none,
            resolveConflict: entry.kind == .resolved,
            fields: model.fieldsOnWire(
                fields.merging(wanted) { _, wanted in wanted }, isDeleted: isDeleted),
            user: entry.login, device: entry.deviceCategory, date: entry.at.milliseconds)
        return (value, takesEffect)
    }

    private mutating func undo(_ entry: HistoryView) {
        fields.merge(entry.before ?? [:]) { _, before in before }
        switch entry.kind {
        case .deleted: isDeleted = false
        case .created: isDeleted = true
        case .updated, .resolved, .reassigned, .conflicted, .discarded, .filled: break
        }
    }
}
