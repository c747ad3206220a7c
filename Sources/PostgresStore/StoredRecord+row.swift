import DefinitionModel
import SyncEngine

/// The columns of each type in the order in which they are read.
enum Columns {
    static let record =
        "guid, model, owner, group_name, revision, is_deleted, is_conflicted, fields"
    static let found = found(name: "NULL::text")
    /// The same with the opaque id. Only guids of version 8 stand for one, so others are not looked
    /// up.
    static let foundWithName = found(
        name: """
            CASE substr(records.guid, 15, 1) WHEN '8' THEN (SELECT name FROM names
            WHERE names.environment = records.environment AND names.guid = records.guid) END
            """)
    private static func found(name: String) -> String {
        "\(record), created, created_at, sequence, changed_at, \(name)"
    }
    static let conflict = "guid, revision, login, device_identifier, sides"
    static let move = "sequence, revision, owner, group_name"
    static let entry = """
        guid, revision, kind, change_id, login, device_category, device_identifier, at, \
        was_deleted, fields
        """
}

extension StoredRecord {
    init(row: inout Row) throws {
        self.init(
            guid: try row.text(), model: try row.text(), owner: try row.text(),
            group: try row.text(), revision: try row.number(as: .revision),
            isDeleted: try row.flag(), isConflicted: try row.flag(), fieldsText: try row.text())
    }
}

extension FoundRecord {
    init(row: inout Row) throws {
        self.init(
            record: try StoredRecord(row: &row), created: try row.number(as: .sequence),
            createdAt: try row.instant(),
            change: ChangePoint(
                sequence: try row.number(as: .sequence), stamp: try row.instant()),
            name: try row.optionalText())
    }
}

extension StoredConflict {
    init(row: inout Row) throws {
        self.init(
            guid: try row.text(), revision: try row.number(as: .sequence),
            device: DeviceKey(login: try row.text(), deviceIdentifier: try row.text()),
            text: try row.text())
    }
}

extension OwnershipChange {
    init(row: inout Row) throws {
        self.init(
            sequence: try row.number(as: .sequence), revision: try row.number(as: .sequence),
            owner: try row.text(),
            group: try row.text())
    }
}

extension HistoryEntry {
    init(row: inout Row) throws {
        let guid = try row.text()
        let revision = try row.number(as: .sequence)
        let name = try row.text()
        guard let kind = Kind(rawValue: name) else {
            throw StoreError.unreadable("the history has a kind '\(name)'", remedy: .backup)
        }
        self.init(
            guid: guid, revision: revision, kind: kind, changeID: try row.text(),
            login: try row.text(), deviceCategory: try row.text(),
            deviceIdentifier: try row.text(), at: try row.instant(),
            wasDeleted: try row.flag(), fieldsText: try row.text())
    }
}

// MARK: - Records by guid

func records(of guids: [String], in environment: EnvironmentID) -> Statement {
    Statement(
        "SELECT \(Columns.record) FROM records WHERE environment = $1 AND guid = ANY ($2)",
        [.integer(environment.number), .texts(guids)])
}

func byGuid(_ rows: Rows) throws -> [ByteKey: StoredRecord] {
    let records = try rows.map { try StoredRecord(row: &$0) }
    return Dictionary(first: records.map { ($0.guid, $0) })
}
