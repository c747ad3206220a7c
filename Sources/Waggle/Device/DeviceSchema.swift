import GRDB

/// The tables of one user's database on a device.
enum DeviceSchema {
    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 records and changes") { db in
            try db.execute(
                sql: """
                    -- With row ids, or nobody is told of changes.
                    CREATE TABLE records (
                        guid TEXT PRIMARY KEY NOT NULL,
                        model TEXT NOT NULL,
                        owner TEXT NOT NULL,
                        group_name TEXT NOT NULL,
                        -- Of the server's record; 0 while the server has none.
                        revision INTEGER NOT NULL,
                        is_deleted INTEGER NOT NULL,
                        is_conflicted INTEGER NOT NULL,
                        -- JSON of what the server sent; null where it sent nothing.
                        server TEXT,
                        conflicts TEXT NOT NULL,
                        -- JSON of what the app sees; null where it is not there for the app.
                        shown TEXT,
                        is_modified INTEGER NOT NULL,
                        -- Held before the server began anew, and not come again yet.
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

                    -- Ids of changes whose outcomes are stored here, to be told to the server.
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
