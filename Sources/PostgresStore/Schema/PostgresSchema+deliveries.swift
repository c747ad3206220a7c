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

    /// Push tokens of installations at which nobody has signed in.
    static let waitingPushTokens = [
        """
        CREATE TABLE waiting_push_tokens (
            environment bigint NOT NULL REFERENCES environments,
            installation text COLLATE "C" NOT NULL,
            type text COLLATE "C" NOT NULL,
            token text COLLATE "C" NOT NULL,
            source bytea NOT NULL,
            at bigint NOT NULL,
            PRIMARY KEY (environment, installation, type)
        )
        """,
        """
        CREATE INDEX waiting_push_tokens_by_time
            ON waiting_push_tokens (environment, at DESC, installation, type)
        """,
        """
        CREATE INDEX waiting_push_tokens_by_source
            ON waiting_push_tokens (environment, source, at DESC, installation, type)
        """,
    ]

    /// A hash of the address of a client that does not sign in; empty for others, and for those
    /// that registered before sources were kept.
    static let guestSources = [
        "ALTER TABLE push_tokens ADD COLUMN source bytea NOT NULL DEFAULT ''::bytea",
        """
        CREATE INDEX push_tokens_by_source
            ON push_tokens (environment, login, source, at DESC, device_identifier, type)
        """,
    ]
}
