extension SQLiteSchema {
    /// Invitations have a group, resets of passwords a login. They are not part of copies: a code
    /// that was used up since would be valid again.
    static let accountCodes = """
        CREATE TABLE account_codes (
            environment INTEGER NOT NULL REFERENCES environments (id),
            hash BLOB NOT NULL,
            group_name TEXT,
            login TEXT,
            uses_left INTEGER NOT NULL,
            author TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            PRIMARY KEY (environment, hash),
            FOREIGN KEY (environment, login) REFERENCES users (environment, login)
                ON DELETE CASCADE,
            CHECK ((group_name IS NULL) <> (login IS NULL))
        ) STRICT, WITHOUT ROWID;
        """

    static let accountCodesByLogin =
        "CREATE INDEX account_codes_by_login ON account_codes (environment, login)"

    /// Names of users as clients that sign up are compared by.
    static let foldedNames = """
        CREATE INDEX users_by_folded_login ON users (environment, lower(login));
        CREATE INDEX users_by_folded_mail ON users (environment, lower(mail));
        """

    /// Null for what was written before.
    static let accountTimes = """
        ALTER TABLE users ADD COLUMN made_at INTEGER;
        ALTER TABLE users ADD COLUMN changed_at INTEGER;
        ALTER TABLE sessions ADD COLUMN opened_at INTEGER;
        """

    /// Codes of sign-ins with a provider, and marks of those that were used. They are not part of
    /// copies: they expire within a day.
    static let signInTickets = """
        CREATE TABLE sign_in_tickets (
            environment INTEGER NOT NULL REFERENCES environments (id),
            hash BLOB NOT NULL,
            body TEXT NOT NULL,
            expires_at INTEGER NOT NULL,
            PRIMARY KEY (environment, hash)
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX sign_in_tickets_by_end ON sign_in_tickets (environment, expires_at);
        """

    /// The persons whose data was erased; a restored backup is erased again.
    static let erasures = """
        CREATE TABLE erasures (
            environment INTEGER NOT NULL REFERENCES environments (id),
            login TEXT NOT NULL,
            at INTEGER NOT NULL,
            author TEXT NOT NULL,
            PRIMARY KEY (environment, login)
        ) STRICT, WITHOUT ROWID;
        """
}
