import GRDB
import Simulation
import SyncProtocol

@testable import Waggle

extension Holdings {
    init(_ store: DeviceStore, _ db: GRDB.Database) throws {
        let records = try LocalRecord.fetchAll(db, sql: "SELECT * FROM records")
        let changes = try LocalChange.fetchAll(db, sql: "SELECT * FROM changes ORDER BY number")
        self.init(
            cursor: try store.value(of: .cursor, db),
            records: Dictionary(
                uniqueKeysWithValues: records.compactMap { record in
                    RecordMessage(record).map { (record.guid, $0) }
                }),
            shown: Dictionary(
                uniqueKeysWithValues: records.compactMap { record in
                    record.shown.map { fields in
                        (record.guid, ShownRecord(model: record.model, fields: fields))
                    }
                }),
            waiting: changes.filter(\.state.isPending).map { HeldChange($0) },
            refused: changes.filter { !$0.state.isPending }.map { HeldChange($0) })
    }
}

extension RecordMessage {
    fileprivate init?(_ record: LocalRecord) {
        guard let server = record.server else { return nil }
        self.init(
            model: record.model, guid: record.guid, revision: record.revision,
            owner: record.owner, group: record.group, deleted: record.isDeleted,
            conflicted: record.isConflicted, fields: server,
            conflicts: record.isConflicted ? record.conflicts : nil)
    }
}

extension HeldChange {
    fileprivate init(_ change: LocalChange) {
        let stage: Stage =
            switch change.state {
            case .waiting, .refused: .waiting
            case .sent: .sent
            case .disputed, .postponed: .disputed
            }
        self.init(
            change.action, model: change.model, guid: change.guid, fields: change.fields,
            stage: stage)
    }
}
