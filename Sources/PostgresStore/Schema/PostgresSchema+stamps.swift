extension PostgresSchema {
    /// Gives every record a unique stamp of its last change, in the order of sequences, and one of
    /// its creation, in the order of creation.
    ///
    /// A stamp of change is the time of the change, or one more than the previous stamp if that is
    /// later: with `n` as the number of the row, `n` plus the highest of `time - n` so far. A stamp
    /// of creation is the time of the first history entry, but lower than the next stamp and no
    /// later than the record's stamp of change: `n` plus the lowest of `time - n` from there on.
    static let stamps = [
        "ALTER TABLE environments ADD COLUMN last_stamp bigint NOT NULL DEFAULT 0",
        "ALTER TABLE records ADD COLUMN created_at bigint NOT NULL DEFAULT 0",
        """
        UPDATE records SET changed_at = stamped.stamp FROM (
            SELECT environment, guid, number + max(changed_at - number) OVER (
                PARTITION BY environment ORDER BY number) AS stamp
            FROM (SELECT environment, guid, changed_at, row_number() OVER (
                PARTITION BY environment ORDER BY sequence) AS number FROM records) AS numbered
        ) AS stamped
        WHERE stamped.environment = records.environment AND stamped.guid = records.guid
        """,
        """
        UPDATE records SET created_at = stamped.stamp FROM (
            SELECT environment, guid, number + min(at - number) OVER (
                PARTITION BY environment ORDER BY number DESC) AS stamp
            FROM (SELECT environment, guid, row_number() OVER (
                    PARTITION BY environment ORDER BY created, sequence) AS number,
                least(changed_at, (SELECT min(at) FROM history
                    WHERE history.environment = records.environment
                        AND history.guid = records.guid)) AS at FROM records) AS numbered
        ) AS stamped
        WHERE stamped.environment = records.environment AND stamped.guid = records.guid
        """,
        """
        UPDATE environments SET last_stamp = coalesce((SELECT max(changed_at) FROM records
            WHERE records.environment = environments.id), 0)
        """,
    ]

    /// Opaque ids of records that wires with such ids have created, and outcomes that expire, with
    /// 0 for those that do not.
    static let names = [
        "ALTER TABLE environments ADD COLUMN name_key bytea",
        """
        CREATE TABLE names (
            environment bigint NOT NULL,
            guid text COLLATE "C" NOT NULL,
            name text COLLATE "C" NOT NULL,
            PRIMARY KEY (environment, guid)
        )
        """,
        "ALTER TABLE outcomes ADD COLUMN expires_at bigint NOT NULL DEFAULT 0",
        """
        CREATE INDEX outcomes_by_expiry ON outcomes (environment, expires_at)
            WHERE expires_at > 0
        """,
    ]

    /// The moments since which records look different to somebody, and what is left of purged
    /// records. Only the guid is known of those that were purged before.
    static let sightChanges = [
        """
        CREATE TABLE sight_changes (
            environment bigint NOT NULL,
            stamp bigint NOT NULL,
            sequence bigint NOT NULL,
            -- Empty where the definition changed.
            login text COLLATE "C" NOT NULL,
            former text COLLATE "C" NOT NULL,
            PRIMARY KEY (environment, stamp)
        )
        """,
        // No stamp is known of moves before this.
        "ALTER TABLE moves ADD COLUMN stamp bigint NOT NULL DEFAULT 0",
        "CREATE INDEX moves_by_sequence ON moves (environment, sequence) WHERE stamp > 0",
        """
        ALTER TABLE swept ADD COLUMN model text COLLATE "C" NOT NULL DEFAULT '',
            ADD COLUMN owner text COLLATE "C" NOT NULL DEFAULT '',
            ADD COLUMN group_name text COLLATE "C" NOT NULL DEFAULT '',
            ADD COLUMN created bigint NOT NULL DEFAULT 0,
            ADD COLUMN sequence bigint NOT NULL DEFAULT 0,
            ADD COLUMN created_at bigint NOT NULL DEFAULT 0,
            ADD COLUMN changed_at bigint NOT NULL DEFAULT 0
        """,
        """
        CREATE INDEX swept_by_deletion ON swept (environment, model, sequence)
            WHERE sequence > 0
        """,
    ]

    /// Outcomes of changes without a history entry. Earlier ones do not tell whether they have one.
    static let tracelessOutcomes = [
        "ALTER TABLE outcomes ADD COLUMN is_traceless boolean NOT NULL DEFAULT false",
        """
        CREATE INDEX outcomes_traceless
            ON outcomes (environment, login, device_identifier, expires_at) WHERE is_traceless
        """,
    ]
}
