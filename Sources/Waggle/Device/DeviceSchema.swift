import GRDB

/// The tables of one user's database on a device.
enum DeviceSchema {
    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 records and changes") { db in
            try db.execute(
                sql: """
                    -- Observation needs row ids.
                    CREATE TABLE records (
                        guid TEXT PRIMARY KEY NOT NULL,
                        model TEXT NOT NULL,
                        owner TEXT NOT NULL,
                        group_name TEXT NOT NULL,
                        -- The revision on the server; 0 while the server has no such record.
                        revision INTEGER NOT NULL,
                        is_deleted INTEGER NOT NULL,
                        is_conflicted INTEGER NOT NULL,
                        -- The fields that the server sent, as JSON; null where it sent none.
                        server TEXT,
                        conflicts TEXT NOT NULL,
                        -- The fields that the app sees, as JSON; null for a deleted record.
                        shown TEXT,
                        is_modified INTEGER NOT NULL,
                        -- Not received again yet since the last resync began.
                        is_marked INTEGER NOT NULL DEFAULT 0
                    ) STRICT;
                    CREATE INDEX records_model ON records(model) WHERE shown IS NOT NULL;
                    CREATE INDEX records_conflicted ON records(model) WHERE is_conflicted;
                    CREATE INDEX records_marked ON records(guid) WHERE is_marked;

                    CREATE TABLE changes (
                        number INTEGER PRIMARY KEY AUTOINCREMENT,
                        id TEXT NOT NULL UNIQUE,
                        action TEXT NOT NULL,
                        model TEXT NOT NULL,
                        guid TEXT NOT NULL,
                        base INTEGER,
                        fields TEXT NOT NULL,
                        before TEXT,
                        state TEXT NOT NULL,
                        settles_by_mode INTEGER NOT NULL,
                        attempts INTEGER NOT NULL,
                        causes TEXT NOT NULL
                    ) STRICT;
                    CREATE INDEX changes_guid ON changes(guid, number);
                    CREATE INDEX changes_state ON changes(state, number);

                    CREATE TABLE files (
                        guid TEXT PRIMARY KEY NOT NULL,
                        bytes INTEGER NOT NULL,
                        digest TEXT NOT NULL,
                        state TEXT NOT NULL
                    ) STRICT, WITHOUT ROWID;

                    -- Ids of changes whose outcomes are stored but not yet acknowledged.
                    CREATE TABLE settled (id TEXT PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID;

                    CREATE TABLE state (
                        key TEXT PRIMARY KEY NOT NULL,
                        value TEXT NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
        return migrator
    }()
}
