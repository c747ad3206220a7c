extension PostgresSchema {
    /// Refused data of clients that are not told. `bytes` is the size that counts for limits.
    static let refusals = [
        """
        CREATE TABLE refusals (
            environment bigint NOT NULL,
            number bigint NOT NULL,
            login text COLLATE "C" NOT NULL,
            device_identifier text COLLATE "C" NOT NULL,
            at bigint NOT NULL,
            model text COLLATE "C" NOT NULL,
            guid text COLLATE "C" NOT NULL,
            content text COLLATE "C" NOT NULL,
            causes text COLLATE "C" NOT NULL,
            bytes bigint NOT NULL,
            PRIMARY KEY (environment, number)
        )
        """,
        """
        CREATE INDEX refusals_by_record
            ON refusals (environment, login, device_identifier, guid, bytes)
        """,
        "CREATE INDEX refusals_by_time ON refusals (environment, at)",
    ]

    /// Files and archives that were refused.
    static let refusedContents = [
        """
        ALTER TABLE refusals ADD COLUMN sha256 text COLLATE "C", ADD COLUMN size bigint
        """,
        "CREATE INDEX refusals_by_contents ON refusals (sha256) WHERE sha256 IS NOT NULL",
    ]

    /// The files that devices with tickets have; see `FileOnDevice`. Further details of their
    /// progress are JSON; see `StoredProgressDetails`.
    static let deviceFiles = [
        "ALTER TABLE device_progress ADD COLUMN details text COLLATE \"C\"",
        """
        CREATE TABLE device_files (
            environment bigint NOT NULL,
            login text COLLATE "C" NOT NULL,
            device_identifier text COLLATE "C" NOT NULL,
            record text COLLATE "C" NOT NULL,
            file text COLLATE "C" NOT NULL,
            ticket text COLLATE "C",
            is_leaving boolean NOT NULL,
            PRIMARY KEY (environment, login, device_identifier, record, file),
            FOREIGN KEY (environment, login) REFERENCES users ON DELETE CASCADE
        )
        """,
        """
        CREATE INDEX device_files_by_file
            ON device_files (environment, login, device_identifier, file)
        """,
        """
        CREATE INDEX device_files_by_ticket
            ON device_files (environment, login, device_identifier, ticket)
            WHERE ticket IS NOT NULL
        """,
    ]
}
