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

    /// Push tokens of installations at which nobody has signed in.
    static let waitingPushTokens = """
        CREATE TABLE waiting_push_tokens (
            environment INTEGER NOT NULL REFERENCES environments (id),
            installation TEXT NOT NULL,
            type TEXT NOT NULL,
            token TEXT NOT NULL,
            source BLOB NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (environment, installation, type)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX waiting_push_tokens_by_time
            ON waiting_push_tokens (environment, at DESC, installation, type);
        CREATE INDEX waiting_push_tokens_by_source
            ON waiting_push_tokens (environment, source, at DESC, installation, type);
        """

    /// A hash of the address of a client that does not sign in; empty for others, and for those
    /// that registered before sources were kept.
    static let guestSources = """
        ALTER TABLE push_tokens ADD COLUMN source BLOB NOT NULL DEFAULT x'';
        CREATE INDEX push_tokens_by_source
            ON push_tokens (environment, login, source, at DESC, device_identifier, type);
        """
}
