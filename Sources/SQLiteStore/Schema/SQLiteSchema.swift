import GRDB

/// The tables. A released migration never changes; further changes take a new one.
enum SQLiteSchema {
    /// Identifies a database file of Waggle: "Wagl" in ASCII.
    static let applicationID: Int64 = 0x5761_676C

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (name, statements) in migrations {
            migrator.registerMigration(name) { db in
                for statement in statements { try db.execute(sql: statement) }
            }
        }
        return migrator
    }

    /// By name, in the order of execution.
    private static let migrations: KeyValuePairs = [
        "1 environments, users, sessions": ["PRAGMA application_id = \(applicationID)", accounts],
        "2 records, history, conflicts, outcomes": [records],
        "3 fingerprints of versions": [fingerprints],
        "4 unique values": [uniqueValues],
        "5 what was there before a version": [
            "ALTER TABLE versions ADD COLUMN deployed_after INTEGER"
        ],
        "6 links, ownership moves, swept records": [links, backfilledLinks],
        "7 records by owner": [recordsByOwner],
        "8 files": [files, backfilledFiles],
        "9 devices of conflicts, progress of devices": [conflictDevices, deviceProgress],
        "10 push tokens, notifications": [notifications],
        "11 changes of accounts": [accountChanges],
        "12 origins of records": [origins],
        "13 records of an owner by creation": [recordsByCreation],
        "14 stamps, names, expiring outcomes": [stamps, names],
        "15 outcomes without a trace": [tracelessOutcomes],
        "16 claimed deliveries": [deliveries],
        "17 devices, failures by source": [devices, conflictsByAuthor],
        "18 refusals, files and details of devices": [refusals, deviceFiles],
        "19 versions of the database, operators": [catalog, operators],
        "20 drafts": [drafts],
        "21 contents of refusals": [refusedContents],
        "22 epochs": [epochs],
        "23 codes of accounts": [accountCodes],
        "24 erasures": [erasures],
        "25 tickets of sign-ins": [signInTickets, accountCodesByLogin],
        "26 changes of sight, tombstones of purged records": [sightChanges],
        "27 values of deployments": [fills],
        "28 clients that were seen": [clients],
        "29 names without case": [foldedNames],
        "30 push tokens that wait for a user": [waitingPushTokens],
        "31 sources of push tokens of guests": [guestSources],
        "32 times of accounts": [accountTimes],
        "33 days of users": [userDays],
        "34 names that versions follow back": [followedNames],
        "35 fields at the end of records": [fieldsLast],
    ]

    private static let accounts = """
        CREATE TABLE environments (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            instance TEXT NOT NULL,
            sequence INTEGER NOT NULL DEFAULT 0,
            version INTEGER NOT NULL REFERENCES versions (id) DEFERRABLE INITIALLY DEFERRED
        ) STRICT;

        -- Every definition that was ever current: older clients can be told from unknown ones.
        CREATE TABLE versions (
            id INTEGER PRIMARY KEY,
            environment INTEGER NOT NULL REFERENCES environments (id),
            digest TEXT NOT NULL,
            source BLOB NOT NULL,
            deployed_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE users (
            environment INTEGER NOT NULL REFERENCES environments (id),
            login TEXT NOT NULL,
            group_name TEXT NOT NULL,
            mail TEXT NOT NULL,
            is_admin INTEGER NOT NULL,
            password_hash TEXT NOT NULL,
            PRIMARY KEY (environment, login)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE sessions (
            token_hash BLOB PRIMARY KEY,
            environment INTEGER NOT NULL,
            login TEXT NOT NULL,
            device_category TEXT NOT NULL,
            device_identifier TEXT NOT NULL,
            expires_at INTEGER NOT NULL,
            FOREIGN KEY (environment, login) REFERENCES users (environment, login)
                ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX sessions_by_user ON sessions (environment, login);
        CREATE INDEX sessions_by_expiry ON sessions (expires_at);

        CREATE TABLE failed_sign_ins (
            environment INTEGER NOT NULL,
            login TEXT NOT NULL,
            count INTEGER NOT NULL,
            last_at INTEGER NOT NULL,
            PRIMARY KEY (environment, login)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX failed_sign_ins_by_time ON failed_sign_ins (last_at);
        """

    /// The key of a record is its row number (see `RowKey`). A change moves the record to the end
    /// of its environment, so a pull is one scan of adjacent rows, and a push maintains only the
    /// index by guid.
    private static let records = """
        CREATE TABLE records (
            place INTEGER PRIMARY KEY,
            environment INTEGER NOT NULL,
            guid TEXT NOT NULL,
            model TEXT NOT NULL,
            owner TEXT NOT NULL,
            group_name TEXT NOT NULL,
            revision INTEGER NOT NULL,
            is_deleted INTEGER NOT NULL,
            is_conflicted INTEGER NOT NULL,
            fields TEXT NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX records_by_guid ON records (environment, guid);

        CREATE TABLE history (
            id INTEGER PRIMARY KEY,
            environment INTEGER NOT NULL,
            guid TEXT NOT NULL,
            revision INTEGER NOT NULL,
            kind TEXT NOT NULL,
            change_id TEXT NOT NULL,
            login TEXT NOT NULL,
            device_category TEXT NOT NULL,
            device_identifier TEXT NOT NULL,
            at INTEGER NOT NULL,
            was_deleted INTEGER NOT NULL,
            fields TEXT NOT NULL
        ) STRICT;
        CREATE INDEX history_by_guid ON history (environment, guid, revision);

        CREATE TABLE conflicts (
            environment INTEGER NOT NULL,
            guid TEXT NOT NULL,
            revision INTEGER NOT NULL,
            is_open INTEGER NOT NULL,
            sides TEXT NOT NULL,
            PRIMARY KEY (environment, guid, revision)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE outcomes (
            environment INTEGER NOT NULL,
            login TEXT NOT NULL,
            device_identifier TEXT NOT NULL,
            change_id TEXT NOT NULL,
            outcome TEXT NOT NULL,
            PRIMARY KEY (environment, login, device_identifier, change_id)
        ) STRICT, WITHOUT ROWID;
        """

    /// Earlier definitions contain only what the digest covers, so the digest is their fingerprint.
    private static let fingerprints = """
        ALTER TABLE versions ADD COLUMN fingerprint TEXT NOT NULL DEFAULT '';
        UPDATE versions SET fingerprint = digest;
        """

    /// The holders of unique values. The primary key guarantees one holder per value, whatever was
    /// decided.
    private static let uniqueValues = """
        CREATE TABLE unique_values (
            environment INTEGER NOT NULL,
            model TEXT NOT NULL,
            field TEXT NOT NULL,
            value TEXT NOT NULL,
            guid TEXT NOT NULL,
            PRIMARY KEY (environment, model, field, value)
        ) STRICT, WITHOUT ROWID;
        """

    /// The present and former links of records. `created` and `moved` are sequences, 0 if they were
    /// not recorded.
    private static let links = """
        ALTER TABLE environments ADD COLUMN horizon INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE environments ADD COLUMN cursor_key BLOB;

        ALTER TABLE records ADD COLUMN created INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE records ADD COLUMN moved INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE records ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
        UPDATE records SET changed_at = coalesce(
            (SELECT max(at) FROM history
                WHERE history.environment = records.environment AND history.guid = records.guid),
            0);
        CREATE INDEX records_gone ON records (environment, changed_at)
            WHERE is_deleted AND NOT is_conflicted;
        CREATE INDEX records_conflicted ON records (environment, model, guid)
            WHERE is_conflicted;

        -- The owner and group that a record had until a sequence.
        CREATE TABLE moves (
            environment INTEGER NOT NULL,
            guid TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            owner TEXT NOT NULL,
            group_name TEXT NOT NULL,
            PRIMARY KEY (environment, guid, sequence)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE swept (
            environment INTEGER NOT NULL,
            guid TEXT NOT NULL,
            PRIMARY KEY (environment, guid)
        ) STRICT, WITHOUT ROWID;

        -- Of the environment's change that it was part of.
        ALTER TABLE history ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;

        -- A link that is not current is one of the record's history.
        CREATE TABLE links (
            environment INTEGER NOT NULL,
            source TEXT NOT NULL,
            target TEXT NOT NULL,
            is_current INTEGER NOT NULL,
            PRIMARY KEY (environment, source, target)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX links_by_target ON links (environment, target);
        """

    /// Stored values do not tell which fields are relations. Any text that is the guid of a record
    /// counts as a link; readers check the field anyway.
    private static let backfilledLinks = """
        INSERT INTO links (environment, source, target, is_current)
            SELECT DISTINCT records.environment, records.guid, value, 1
            FROM records, json_each(records.fields)
            WHERE type = 'text' AND EXISTS (SELECT 1 FROM records AS named
                WHERE named.environment = records.environment AND named.guid = value);
        INSERT INTO links (environment, source, target, is_current)
            SELECT DISTINCT environment, guid, json_extract(value, '$.guid'), 1
            FROM records, json_each(records.fields)
            WHERE type = 'object' AND json_extract(value, '$.guid') IS NOT NULL
            ON CONFLICT DO NOTHING;
        INSERT INTO links (environment, source, target, is_current)
            SELECT DISTINCT environment, guid, json_extract(value, '$.guid'), 0
            FROM history, json_each(history.fields)
            WHERE type = 'object' AND json_extract(value, '$.guid') IS NOT NULL
            ON CONFLICT DO NOTHING;
        """

    /// Finds records without reading those that the asker may not see.
    private static let recordsByOwner = """
        CREATE INDEX records_by_owner ON records (environment, model, group_name, owner, guid)
            WHERE NOT is_deleted OR is_conflicted;
        CREATE INDEX records_disputed ON records (environment, model)
            WHERE is_deleted AND is_conflicted;
        """

    /// In the order of guids, each new record touched a page of its own among those of its owner.
    /// In the order of creation it goes to the end, so a push touches few pages at any size of the
    /// table.
    private static let recordsByCreation = """
        DROP INDEX records_by_owner;
        CREATE INDEX records_by_owner
            ON records (environment, model, group_name, owner, created, guid)
            WHERE NOT is_deleted OR is_conflicted;
        """

    /// Every file that a link names has a row with its author, whether or not the contents have
    /// arrived.
    private static let files = """
        CREATE TABLE files (
            environment INTEGER NOT NULL,
            guid TEXT NOT NULL,
            login TEXT NOT NULL,
            at INTEGER NOT NULL,
            -- Whether there is a link to it.
            is_named INTEGER NOT NULL,
            upload TEXT,
            sha256 TEXT,
            size INTEGER,
            is_complete INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (environment, guid)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX files_loose ON files (environment, login) WHERE NOT is_named;
        CREATE INDEX files_arrived ON files (sha256) WHERE is_complete;
        CREATE INDEX files_awaited ON files (upload) WHERE upload IS NOT NULL AND NOT is_complete;
        """

    /// The first user to name a file was not recorded. The creator of the oldest record that names
    /// it counts as its author.
    private static let backfilledFiles = """
        INSERT INTO files (environment, guid, login, at, is_named)
            SELECT environment, json_extract(value, '$.guid'), owner, changed_at, 1
            FROM records, json_each(records.fields)
            WHERE type = 'object' AND json_extract(value, '$.guid') IS NOT NULL
            ORDER BY created, place
            ON CONFLICT DO NOTHING;
        INSERT INTO files (environment, guid, login, at, is_named)
            SELECT records.environment, json_extract(value, '$.guid'), owner, at, 1
            FROM history JOIN records ON records.environment = history.environment
                AND records.guid = history.guid, json_each(history.fields)
            WHERE type = 'object' AND json_extract(value, '$.guid') IS NOT NULL
            ORDER BY history.id
            ON CONFLICT DO NOTHING;
        """

    /// The change that opened a conflict is in the history.
    private static let conflictDevices = """
        ALTER TABLE conflicts ADD COLUMN login TEXT NOT NULL DEFAULT '';
        ALTER TABLE conflicts ADD COLUMN device_identifier TEXT NOT NULL DEFAULT '';
        UPDATE conflicts SET login = history.login, device_identifier = history.device_identifier
            FROM history
            WHERE history.environment = conflicts.environment AND history.guid = conflicts.guid
                AND history.revision = conflicts.revision AND history.kind = 'conflicted';
        """

    private static let deviceProgress = """
        CREATE TABLE device_progress (
            environment INTEGER NOT NULL,
            login TEXT NOT NULL,
            device_identifier TEXT NOT NULL,
            confirmed TEXT,
            holds_records INTEGER NOT NULL,
            ticket TEXT,
            starts_over INTEGER NOT NULL,
            rejection TEXT,
            deliveries INTEGER NOT NULL,
            delivered TEXT,
            PRIMARY KEY (environment, login, device_identifier),
            FOREIGN KEY (environment, login) REFERENCES users (environment, login)
                ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        """

    /// Notifications are numbered per environment; 0 is before the first. No notification exists
    /// before this migration, so none waits for delivery.
    private static let notifications = """
        CREATE TABLE push_tokens (
            environment INTEGER NOT NULL,
            device_identifier TEXT NOT NULL,
            type TEXT NOT NULL,
            login TEXT NOT NULL,
            device_category TEXT NOT NULL,
            token TEXT NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (environment, device_identifier, type),
            FOREIGN KEY (environment, login) REFERENCES users (environment, login)
                ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX push_tokens_by_login ON push_tokens (environment, login);

        ALTER TABLE environments ADD COLUMN last_notification INTEGER NOT NULL DEFAULT 0;
        -- The last one whose tokens somebody has taken on.
        ALTER TABLE environments ADD COLUMN last_claimed INTEGER NOT NULL DEFAULT 0;

        CREATE TABLE notifications (
            id INTEGER PRIMARY KEY,
            environment INTEGER NOT NULL,
            number INTEGER NOT NULL,
            -- Its sender's own name for it.
            name TEXT NOT NULL,
            sender TEXT NOT NULL,
            at INTEGER NOT NULL,
            device_category TEXT,
            group_name TEXT,
            -- A JSON array; null is everybody.
            logins TEXT,
            body TEXT NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX notifications_by_number ON notifications (environment, number);
        CREATE UNIQUE INDEX notifications_by_name ON notifications (environment, sender, name);
        CREATE INDEX notifications_by_sender ON notifications (environment, sender, at);
        CREATE INDEX notifications_by_time ON notifications (environment, at);
        """

    /// Counts changes that invalidate cached sessions. Insertions change no known session.
    private static let accountChanges = """
        ALTER TABLE environments ADD COLUMN accounts INTEGER NOT NULL DEFAULT 0;
        CREATE TRIGGER user_changed AFTER UPDATE ON users BEGIN
            UPDATE environments SET accounts = accounts + 1 WHERE id = old.environment;
        END;
        CREATE TRIGGER user_removed AFTER DELETE ON users BEGIN
            UPDATE environments SET accounts = accounts + 1 WHERE id = old.environment;
        END;
        CREATE TRIGGER session_changed AFTER UPDATE ON sessions BEGIN
            UPDATE environments SET accounts = accounts + 1 WHERE id = old.environment;
        END;
        CREATE TRIGGER session_ended AFTER DELETE ON sessions BEGIN
            UPDATE environments SET accounts = accounts + 1 WHERE id = old.environment;
        END;
        """
}
