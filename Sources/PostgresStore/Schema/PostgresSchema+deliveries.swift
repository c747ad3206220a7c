extension PostgresSchema {
    /// The delivery of a notification that a process has claimed, with the last push token that it
    /// was delivered to. `last_claimed` of an environment is the last notification whose delivery
    /// has ended.
    static let deliveries = [
        """
        CREATE TABLE deliveries (
            environment bigint PRIMARY KEY REFERENCES environments,
            number bigint NOT NULL,
            claimant text COLLATE "C" NOT NULL,
            expires_at bigint NOT NULL,
            device_identifier text COLLATE "C",
            type text COLLATE "C"
        )
        """
    ]
}
