extension PostgresSchema {
    /// Counts changes that invalidate cached sessions. Insertions change no cached session.
    static let accountChanges = [
        "ALTER TABLE environments ADD COLUMN accounts bigint NOT NULL DEFAULT 0",
        """
        CREATE FUNCTION count_account_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            UPDATE \(name).environments SET accounts = accounts + 1 WHERE id = old.environment;
            RETURN NULL;
        END
        $$
        """,
        """
        CREATE TRIGGER user_changed AFTER UPDATE OR DELETE ON users
            FOR EACH ROW EXECUTE FUNCTION count_account_change()
        """,
        """
        CREATE TRIGGER session_ended AFTER UPDATE OR DELETE ON sessions
            FOR EACH ROW EXECUTE FUNCTION count_account_change()
        """,
    ]

    /// Invitations have a group, resets of passwords a login. They are not part of copies: a code
    /// that was used up since would be valid again.
    static let accountCodes = [
        """
        CREATE TABLE account_codes (
            environment bigint NOT NULL REFERENCES environments,
            hash bytea NOT NULL,
            group_name text COLLATE "C",
            login text COLLATE "C",
            uses_left bigint NOT NULL,
            author text COLLATE "C" NOT NULL,
            created_at bigint NOT NULL,
            expires_at bigint NOT NULL,
            PRIMARY KEY (environment, hash),
            FOREIGN KEY (environment, login) REFERENCES users ON DELETE CASCADE,
            CHECK ((group_name IS NULL) <> (login IS NULL))
        )
        """,
        "CREATE INDEX account_codes_by_login ON account_codes (environment, login)",
    ]

    /// Names of users as clients that sign up are compared by.
    static let foldedNames = [
        """
        CREATE INDEX users_by_folded_login ON users (environment, lower(login COLLATE "C"))
        """,
        """
        CREATE INDEX users_by_folded_mail ON users (environment, lower(mail COLLATE "C"))
        """,
    ]

    /// Null for what was written before.
    static let accountTimes = [
        "ALTER TABLE users ADD COLUMN made_at bigint, ADD COLUMN changed_at bigint",
        "ALTER TABLE sessions ADD COLUMN opened_at bigint",
    ]

    /// Codes of sign-ins with a provider, and marks of those that were used. They are not part of
    /// copies: they expire within a day.
    static let signInTickets = [
        """
        CREATE TABLE sign_in_tickets (
            environment bigint NOT NULL REFERENCES environments,
            hash bytea NOT NULL,
            body text COLLATE "C" NOT NULL,
            expires_at bigint NOT NULL,
            PRIMARY KEY (environment, hash)
        )
        """,
        "CREATE INDEX sign_in_tickets_by_end ON sign_in_tickets (environment, expires_at)",
    ]

    /// The persons whose data was erased; a restored backup is erased again.
    static let erasures = [
        """
        CREATE TABLE erasures (
            environment bigint NOT NULL REFERENCES environments,
            login text COLLATE "C" NOT NULL,
            at bigint NOT NULL,
            author text COLLATE "C" NOT NULL,
            PRIMARY KEY (environment, login)
        )
        """
    ]
}
