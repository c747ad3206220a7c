extension Schema {
    /// Keys what is of a record by its origin, the place where it began, instead of its guid.
    ///
    /// Guids are spread over all of an index, so that each new record came to a page of its own in
    /// each index that began with one; origins grow, so that what is new goes to the end. What is
    /// left to grow slower with the records there are is the guid's own index, that of links by
    /// target, and that by owner until the next migration. Of a record from before, any place of
    /// its own serves.
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

/// Of the record of an environment and with a guid, which are the next two arguments.
let originOfRecord = "(SELECT origin FROM records WHERE environment = ? AND guid = ?)"
