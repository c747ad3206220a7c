extension SQLiteSchema {
    /// Gives every record a unique stamp of its last change, in the order of sequences, and one of
    /// its creation, in the order of creation.
    ///
    /// A stamp of change is the time of the change, or one more than the previous stamp if that is
    /// later: with `n` as the number of the row, `n` plus the highest of `time - n` so far. A stamp
    /// of creation is the time of the first history entry, but lower than the next stamp and no
    /// later than the record's stamp of change: `n` plus the lowest of `time - n` from there on.
    static let stamps = """
        ALTER TABLE environments ADD COLUMN last_stamp INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE records ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;

        UPDATE records SET changed_at = stamped.stamp FROM (
            SELECT place, number + max(changed_at - number) OVER (
                PARTITION BY environment ORDER BY number) AS stamp
            FROM (SELECT place, environment, changed_at, row_number() OVER (
                PARTITION BY environment ORDER BY place) AS number FROM records)
        ) AS stamped WHERE stamped.place = records.place;

        UPDATE records SET created_at = stamped.stamp FROM (
            SELECT place, number + min(at - number) OVER (
                PARTITION BY environment ORDER BY number DESC) AS stamp
            FROM (SELECT place, environment, row_number() OVER (
                    PARTITION BY environment ORDER BY created, place) AS number,
                min(changed_at, coalesce(
                    (SELECT min(at) FROM history WHERE history.origin = records.origin),
                    changed_at)) AS at FROM records)
        ) AS stamped WHERE stamped.place = records.place;

        UPDATE environments SET last_stamp = coalesce((
            SELECT max(changed_at) FROM records WHERE records.environment = environments.id), 0);
        """

    /// Opaque ids of records that wires with such ids have created, and outcomes that expire, with
    /// 0 for those that do not.
    static let names = """
        ALTER TABLE environments ADD COLUMN name_key BLOB;
        CREATE TABLE names (
            environment INTEGER NOT NULL,
            guid TEXT NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (environment, guid)
        ) STRICT, WITHOUT ROWID;

        ALTER TABLE outcomes ADD COLUMN expires_at INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX outcomes_by_expiry ON outcomes (environment, expires_at)
            WHERE expires_at > 0;
        """

    /// The moments since which records look different to somebody, and what is left of purged
    /// records. Only the guid is known of those that were purged before.
    static let sightChanges = """
        CREATE TABLE sight_changes (
            environment INTEGER NOT NULL,
            stamp INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            -- Empty where the definition changed.
            login TEXT NOT NULL,
            former TEXT NOT NULL,
            PRIMARY KEY (environment, stamp)
        ) STRICT, WITHOUT ROWID;

        -- No stamp is known of moves before this.
        ALTER TABLE moves ADD COLUMN stamp INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX moves_by_sequence ON moves (environment, sequence) WHERE stamp > 0;

        ALTER TABLE swept ADD COLUMN model TEXT NOT NULL DEFAULT '';
        ALTER TABLE swept ADD COLUMN owner TEXT NOT NULL DEFAULT '';
        ALTER TABLE swept ADD COLUMN group_name TEXT NOT NULL DEFAULT '';
        ALTER TABLE swept ADD COLUMN created INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE swept ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE swept ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE swept ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX swept_by_deletion ON swept (environment, model, sequence)
            WHERE sequence > 0;
        """

    /// Outcomes of changes without a history entry. Earlier ones do not tell whether they have one.
    static let tracelessOutcomes = """
        ALTER TABLE outcomes ADD COLUMN is_traceless INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX outcomes_traceless
            ON outcomes (environment, login, device_identifier, expires_at) WHERE is_traceless;
        """
}
