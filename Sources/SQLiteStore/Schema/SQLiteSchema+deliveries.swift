extension SQLiteSchema {
    /// The delivery of a notification that a process has claimed, with the last push token that it
    /// was delivered to. `last_claimed` of an environment is the last notification whose delivery
    /// has ended.
    static let deliveries = """
        CREATE TABLE deliveries (
            environment INTEGER PRIMARY KEY REFERENCES environments (id),
            number INTEGER NOT NULL,
            claimant TEXT NOT NULL,
            expires_at INTEGER NOT NULL,
            device_identifier TEXT,
            type TEXT
        ) STRICT;
        """
}
