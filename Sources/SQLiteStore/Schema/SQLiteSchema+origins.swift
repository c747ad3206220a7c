extension SQLiteSchema {
    /// Replaces the guid by the record's origin, its first row number, in the keys of dependent
    /// tables.
    ///
    /// Guids are spread over the whole index, so each new record touched a page of its own in every
    /// index that began with a guid. Origins ascend, so new rows go to the end. Only the index by
    /// guid, that of links by target, and that by owner (until the next migration) still slow down
    /// as records accumulate. A record from before this migration uses its present row number.
    static let origins = """
        ALTER TABLE records ADD COLUMN origin INTEGER NOT NULL DEFAULT 0;
        UPDATE records SET origin = place;

        DROP INDEX history_by_guid;
        ALTER TABLE history ADD COLUMN origin INTEGER NOT NULL DEFAULT 0;
        UPDATE history SET origin = records.origin FROM records
            WHERE records.environment = history.environment AND records.guid = history.guid;
        CREATE INDEX history_by_origin ON history (origin, revision);

        ALTER TABLE links RENAME TO links_by_guid;
        DROP INDEX links_by_target;
        CREATE TABLE links (
            origin INTEGER NOT NULL,
            target TEXT NOT NULL,
            environment INTEGER NOT NULL,
            source TEXT NOT NULL,
            -- A link that is not current is one of the record's history.
            is_current INTEGER NOT NULL,
            PRIMARY KEY (origin, target)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO links (origin, target, environment, source, is_current)
            SELECT origin, target, environment, source, is_current
            FROM links_by_guid JOIN records USING (environment)
            WHERE records.guid = source
            ORDER BY origin, target;
        DROP TABLE links_by_guid;
        CREATE INDEX links_by_target ON links (environment, target);
        """
}

/// Subquery for the origin of a record. The next two arguments are the environment and the guid.
let originOfRecord = "(SELECT origin FROM records WHERE environment = ? AND guid = ?)"
