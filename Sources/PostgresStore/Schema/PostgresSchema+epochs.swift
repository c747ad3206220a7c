extension PostgresSchema {
    /// The present epoch of each environment, and the ends of earlier ones; see `EpochChain`.
    static let epochs = [
        "ALTER TABLE environments ADD COLUMN epoch bigint NOT NULL DEFAULT 0",
        """
        CREATE TABLE epochs (
            environment bigint NOT NULL,
            number bigint NOT NULL,
            epoch bigint NOT NULL,
            sequence bigint NOT NULL,
            notification bigint NOT NULL,
            PRIMARY KEY (environment, number)
        )
        """,
    ]
}
