extension SQLiteSchema {
    /// Refused data of clients that are not told. `bytes` is the size that counts for limits.
    static let refusals = """
        CREATE TABLE refusals (
            environment INTEGER NOT NULL,
            number INTEGER NOT NULL,
            login TEXT NOT NULL,
            device_identifier TEXT NOT NULL,
            at INTEGER NOT NULL,
            model TEXT NOT NULL,
            guid TEXT NOT NULL,
            content TEXT NOT NULL,
            causes TEXT NOT NULL,
            bytes INTEGER NOT NULL,
            PRIMARY KEY (environment, number)
        ) STRICT;
        CREATE INDEX refusals_by_record
            ON refusals (environment, login, device_identifier, guid, bytes);
        CREATE INDEX refusals_by_time ON refusals (environment, at);
        """

    /// Files and archives that were refused.
    static let refusedContents = """
        ALTER TABLE refusals ADD COLUMN sha256 TEXT;
        ALTER TABLE refusals ADD COLUMN size INTEGER;
        CREATE INDEX refusals_by_contents ON refusals (sha256) WHERE sha256 IS NOT NULL;
        """

    /// The files that devices with tickets have; see `FileOnDevice`. Further details of their
    /// progress are JSON; see `StoredProgressDetails`.
    static let deviceFiles = """
        ALTER TABLE device_progress ADD COLUMN details TEXT;
        CREATE TABLE device_files (
            environment INTEGER NOT NULL,
            login TEXT NOT NULL,
            device_identifier TEXT NOT NULL,
            record TEXT NOT NULL,
            file TEXT NOT NULL,
            ticket TEXT,
            is_leaving INTEGER NOT NULL,
            PRIMARY KEY (environment, login, device_identifier, record, file),
            FOREIGN KEY (environment, login) REFERENCES users (environment, login)
                ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX device_files_by_file
            ON device_files (environment, login, device_identifier, file);
        CREATE INDEX device_files_by_ticket
            ON device_files (environment, login, device_identifier, ticket)
            WHERE ticket IS NOT NULL;
        """
}
