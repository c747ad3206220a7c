extension SQLiteSchema {
    /// Failures to sign in by source, and the devices that have signed in. A device that has left
    /// something before this migration counts as one that signs in now. Outcomes go with their
    /// user.
    static let devices = """
        DROP TABLE failed_sign_ins;
        CREATE TABLE failed_sign_ins (
            environment INTEGER NOT NULL,
            login TEXT NOT NULL,
            origin BLOB NOT NULL,
            count INTEGER NOT NULL,
            last_at INTEGER NOT NULL,
            PRIMARY KEY (environment, login, origin)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX failed_sign_ins_by_time ON failed_sign_ins (environment, last_at);

        CREATE TABLE devices (
            environment INTEGER NOT NULL,
            login TEXT NOT NULL,
            device_identifier TEXT NOT NULL,
            signed_in_at INTEGER NOT NULL,
            PRIMARY KEY (environment, login, device_identifier),
            FOREIGN KEY (environment, login) REFERENCES users (environment, login)
                ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX devices_by_sign_in ON devices (environment, signed_in_at);

        DELETE FROM outcomes WHERE NOT EXISTS (SELECT 1 FROM users
            WHERE users.environment = outcomes.environment AND users.login = outcomes.login);
        INSERT INTO devices (environment, login, device_identifier, signed_in_at)
            SELECT environment, login, device_identifier,
                CAST(strftime('%s', 'now') AS INTEGER) * 1000
            FROM (SELECT environment, login, device_identifier FROM sessions
                UNION SELECT environment, login, device_identifier FROM outcomes
                UNION SELECT environment, login, device_identifier FROM device_progress
                UNION SELECT environment, login, device_identifier FROM push_tokens);
        """

    /// Clients that were served, by a hash of their device.
    static let clients = """
        CREATE TABLE clients (
            environment INTEGER NOT NULL REFERENCES environments (id),
            wire TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            device BLOB NOT NULL,
            day INTEGER NOT NULL,
            PRIMARY KEY (environment, wire, fingerprint, device)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX clients_by_day ON clients (day);
        """

    /// The days on which users were last seen, on whatever device.
    static let userDays = """
        CREATE TABLE user_days (
            environment INTEGER NOT NULL,
            login TEXT NOT NULL,
            day INTEGER NOT NULL,
            PRIMARY KEY (environment, login),
            FOREIGN KEY (environment, login) REFERENCES users (environment, login)
                ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        """

    /// Finds what a user has in dispute. Conflicts are rare, so few writes maintain it.
    static let conflictsByAuthor = """
        CREATE INDEX conflicts_by_author ON conflicts (environment, login) WHERE is_open;
        """
}
