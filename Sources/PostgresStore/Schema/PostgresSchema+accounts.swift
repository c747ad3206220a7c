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
}
