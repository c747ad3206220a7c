extension SQLiteSchema {
    /// The present epoch of each environment, and the ends of earlier ones; see `EpochChain`.
    static let epochs = """
        ALTER TABLE environments ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE epochs (
            environment INTEGER NOT NULL,
            number INTEGER NOT NULL,
            epoch INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            notification INTEGER NOT NULL,
            PRIMARY KEY (environment, number)
        ) STRICT, WITHOUT ROWID;
        """
}
