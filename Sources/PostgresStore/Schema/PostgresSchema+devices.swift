extension PostgresSchema {
    /// Failures to sign in by source, and the devices that have signed in. A device that has left
    /// something before this migration counts as one that signs in now. Outcomes go with their
    /// user.
    static let devices = [
        "DROP TABLE failed_sign_ins",
        """
        CREATE TABLE failed_sign_ins (
            environment bigint NOT NULL,
            login text COLLATE "C" NOT NULL,
            origin bytea NOT NULL,
            count bigint NOT NULL,
            last_at bigint NOT NULL,
            PRIMARY KEY (environment, login, origin)
        )
        """,
        "CREATE INDEX failed_sign_ins_by_time ON failed_sign_ins (environment, last_at)",
        """
        CREATE TABLE devices (
            environment bigint NOT NULL,
            login text COLLATE "C" NOT NULL,
            device_identifier text COLLATE "C" NOT NULL,
            signed_in_at bigint NOT NULL,
            PRIMARY KEY (environment, login, device_identifier),
            FOREIGN KEY (environment, login) REFERENCES users ON DELETE CASCADE
        )
        """,
        "CREATE INDEX devices_by_sign_in ON devices (environment, signed_in_at)",
        """
        DELETE FROM outcomes WHERE NOT EXISTS (SELECT 1 FROM users
            WHERE users.environment = outcomes.environment AND users.login = outcomes.login)
        """,
        """
        INSERT INTO devices (environment, login, device_identifier, signed_in_at)
            SELECT environment, login, device_identifier,
                floor(extract(epoch FROM now()))::bigint * 1000
            FROM (SELECT environment, login, device_identifier FROM sessions
                UNION SELECT environment, login, device_identifier FROM outcomes
                UNION SELECT environment, login, device_identifier FROM device_progress
                UNION SELECT environment, login, device_identifier FROM push_tokens) AS found
        """,
    ]

    /// Clients that were served, by a hash of their device.
    static let clients = [
        """
        CREATE TABLE clients (
            environment bigint NOT NULL REFERENCES environments,
            wire text COLLATE "C" NOT NULL,
            fingerprint text COLLATE "C" NOT NULL,
            device bytea NOT NULL,
            day bigint NOT NULL,
            PRIMARY KEY (environment, wire, fingerprint, device)
        )
        """,
        "CREATE INDEX clients_by_day ON clients (day)",
    ]

    /// The days on which users were last seen, on whatever device.
    static let userDays = [
        """
        CREATE TABLE user_days (
            environment bigint NOT NULL,
            login text COLLATE "C" NOT NULL,
            day bigint NOT NULL,
            PRIMARY KEY (environment, login),
            FOREIGN KEY (environment, login) REFERENCES users ON DELETE CASCADE
        )
        """
    ]

    /// Finds what a user has in dispute. Conflicts are rare, so few writes maintain it.
    static let conflictsByAuthor = [
        "CREATE INDEX conflicts_by_author ON conflicts (environment, login) WHERE is_open"
    ]
}
