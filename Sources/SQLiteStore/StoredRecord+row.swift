import GRDB
import SyncEngine

extension StoredRecord {
    init(row: Row) throws {
        self.init(
            guid: try row.decode(String.self, forColumn: "guid"),
            model: try row.decode(String.self, forColumn: "model"),
            owner: try row.decode(String.self, forColumn: "owner"),
            group: try row.decode(String.self, forColumn: "group_name"),
            revision: try row.number("revision", as: .revision),
            isDeleted: try row.decode(Bool.self, forColumn: "is_deleted"),
            isConflicted: try row.decode(Bool.self, forColumn: "is_conflicted"),
            fieldsText: try row.decode(String.self, forColumn: "fields"))
    }
}

extension StoredRecord {
    /// The exact columns that a statement must select.
    static let columns = """
        records.guid, model, owner, group_name, revision, is_deleted, is_conflicted, fields
        """

    /// Reads the same columns as the other initializer, in its order.
    init(row: StatementRow) throws {
        self.init(
            guid: try row.text(0), model: try row.text(1), owner: try row.text(2),
            group: try row.text(3), revision: try row.number(4, as: .revision),
            isDeleted: row.number(5) != 0, isConflicted: row.number(6) != 0,
            fieldsText: try row.text(7))
    }
}

extension FoundRecord {
    /// The exact columns that a statement must select.
    static let columns = columns(name: "NULL")

    /// The same with the opaque id. Only guids of version 8 stand for one, so others are not looked
    /// up.
    static let columnsWithName = columns(
        name: """
            CASE substr(records.guid, 15, 1) WHEN '8' THEN (SELECT name FROM names
            WHERE names.environment = records.environment AND names.guid = records.guid) END
            """)

    private static func columns(name: String) -> String {
        """
        records.guid, model, owner, group_name, revision, is_deleted, is_conflicted, fields,
        created, created_at, place, changed_at, \(name)
        """
    }

    /// Reads guid, model, owner, group, sequence and stamp of the creation, those of the change,
    /// and the opaque id, as of a deleted record.
    init(withoutFields row: StatementRow) throws {
        self.init(
            record: StoredRecord(
                guid: try row.text(0), model: try row.text(1), owner: try row.text(2),
                group: try row.text(3), revision: 1, isDeleted: true, isConflicted: false,
                fieldsText: "{}"),
            created: try row.number(4, as: .sequence), createdAt: try row.instant(5),
            change: ChangePoint(
                sequence: try row.number(6, as: .sequence), stamp: try row.instant(7)),
            name: row.isNull(8) ? nil : try row.text(8))
    }

    init(row: StatementRow) throws {
        self.init(
            record: try StoredRecord(row: row), created: try row.number(8, as: .sequence),
            createdAt: try row.instant(9),
            change: ChangePoint(
                sequence: RowKey.sequence(of: row.number(10)),
                stamp: try row.instant(11)),
            name: row.isNull(12) ? nil : try row.text(12))
    }
}

extension StoredConflict {
    init(row: Row) throws {
        self.init(
            guid: try row.decode(String.self, forColumn: "guid"),
            revision: try row.number("revision", as: .sequence),
            device: DeviceKey(
                login: try row.decode(String.self, forColumn: "login"),
                deviceIdentifier: try row.decode(String.self, forColumn: "device_identifier")),
            text: try row.decode(String.self, forColumn: "sides"))
    }
}

extension OwnershipChange {
    init(row: Row) throws {
        self.init(
            sequence: try row.number("sequence", as: .sequence),
            revision: try row.number("revision", as: .sequence),
            owner: try row.decode(String.self, forColumn: "owner"),
            group: try row.decode(String.self, forColumn: "group_name"))
    }
}

extension HistoryEntry {
    /// The exact columns that a statement must select.
    static let columns = """
        guid, revision, kind, change_id, login, device_category, device_identifier, at,
        was_deleted, fields
        """

    /// Reads the same columns as the other initializer, in the order of `columns`.
    init(row: StatementRow) throws {
        self.init(
            guid: try row.text(0), revision: try row.number(1, as: .sequence),
            kind: try Kind(stored: try row.text(2)), changeID: try row.text(3),
            login: try row.text(4), deviceCategory: try row.text(5),
            deviceIdentifier: try row.text(6), at: try row.instant(7),
            wasDeleted: row.number(8) != 0, fieldsText: try row.text(9))
    }

    init(row: Row) throws {
        self.init(
            guid: try row.decode(String.self, forColumn: "guid"),
            revision: try row.number("revision", as: .sequence),
            kind: try Kind(stored: try row.decode(String.self, forColumn: "kind")),
            changeID: try row.decode(String.self, forColumn: "change_id"),
            login: try row.decode(String.self, forColumn: "login"),
            deviceCategory: try row.decode(String.self, forColumn: "device_category"),
            deviceIdentifier: try row.decode(String.self, forColumn: "device_identifier"),
            at: try row.instant("at"),
            wasDeleted: try row.decode(Bool.self, forColumn: "was_deleted"),
            fieldsText: try row.decode(String.self, forColumn: "fields"))
    }
}

extension HistoryEntry.Kind {
    init(stored name: String) throws(StoreError) {
        guard let kind = Self(rawValue: name) else {
            throw .unreadable("the history has a kind '\(name)'")
        }
        self = kind
    }
}
