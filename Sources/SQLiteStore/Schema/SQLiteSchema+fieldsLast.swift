extension SQLiteSchema {
    /// Moves the fields of a record to the end of its row.
    ///
    /// SQLite stores a long row in a chain of pages. To read a column that comes after the fields
    /// it follows the chain through all of them: 1,000 history entries of a record of 8 MB, which
    /// ask for its origin, took 45 ms for that alone. Each record is written once, so the database
    /// needs as much space again until the file is compacted or filled.
    static let fieldsLast = """
        CREATE TABLE ordered_records (
            place INTEGER PRIMARY KEY,
            environment INTEGER NOT NULL,
            guid TEXT NOT NULL,
            model TEXT NOT NULL,
            owner TEXT NOT NULL,
            group_name TEXT NOT NULL,
            revision INTEGER NOT NULL,
            is_deleted INTEGER NOT NULL,
            is_conflicted INTEGER NOT NULL,
            created INTEGER NOT NULL DEFAULT 0,
            moved INTEGER NOT NULL DEFAULT 0,
            changed_at INTEGER NOT NULL DEFAULT 0,
            origin INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL DEFAULT 0,
            fields TEXT NOT NULL
        ) STRICT;
        INSERT INTO ordered_records (place, environment, guid, model, owner, group_name, revision,
                is_deleted, is_conflicted, created, moved, changed_at, origin, created_at, fields)
            SELECT place, environment, guid, model, owner, group_name, revision, is_deleted,
                is_conflicted, created, moved, changed_at, origin, created_at, fields
            FROM records ORDER BY place;
        DROP TABLE records;
        ALTER TABLE ordered_records RENAME TO records;

        CREATE UNIQUE INDEX records_by_guid ON records (environment, guid);
        CREATE INDEX records_gone ON records (environment, changed_at)
            WHERE is_deleted AND NOT is_conflicted;
        CREATE INDEX records_conflicted ON records (environment, model, guid)
            WHERE is_conflicted;
        CREATE INDEX records_disputed ON records (environment, model)
            WHERE is_deleted AND is_conflicted;
        CREATE INDEX records_by_owner
            ON records (environment, model, group_name, owner, created, guid)
            WHERE NOT is_deleted OR is_conflicted;
        """
}
