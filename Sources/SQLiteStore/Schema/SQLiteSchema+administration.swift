extension SQLiteSchema {
    /// Definitions that operators are designing.
    static let drafts = """
        CREATE TABLE drafts (
            name TEXT PRIMARY KEY,
            revision INTEGER NOT NULL,
            author TEXT NOT NULL,
            changed_at INTEGER NOT NULL,
            source BLOB NOT NULL
        ) STRICT;
        """

    /// Every definition that was deployed or imported, numbered for the whole database. Earlier
    /// deployments have neither author nor application.
    static let catalog = """
        ALTER TABLE environments ADD COLUMN is_locked INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE catalog (
            number INTEGER PRIMARY KEY,
            vendor TEXT,
            application TEXT,
            digest TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            source BLOB NOT NULL,
            tag TEXT NOT NULL DEFAULT '',
            note TEXT NOT NULL DEFAULT '',
            author TEXT NOT NULL,
            added_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX catalog_by_fingerprint ON catalog (fingerprint);
        CREATE UNIQUE INDEX catalog_by_tag ON catalog (tag) WHERE tag <> '';

        INSERT INTO catalog (digest, fingerprint, source, author, added_at)
            SELECT min(digest), fingerprint, source, '', min(deployed_at) FROM versions
            GROUP BY fingerprint, source ORDER BY min(id);
        ALTER TABLE versions ADD COLUMN author TEXT NOT NULL DEFAULT '';
        ALTER TABLE versions ADD COLUMN catalog_number INTEGER NOT NULL DEFAULT 0;
        UPDATE versions SET catalog_number = (SELECT number FROM catalog
            WHERE catalog.fingerprint = versions.fingerprint
                AND catalog.source = versions.source);
        CREATE INDEX versions_by_environment ON versions (environment, id);
        """

    /// Earlier deployments have left values under later names; see `StoredVersion.followsBack`.
    static let followedNames = """
        ALTER TABLE versions ADD COLUMN follows_back INTEGER NOT NULL DEFAULT 0
        """

    /// The values that a deployment brings, as JSON, with how far they have come.
    static let fills = """
        ALTER TABLE versions ADD COLUMN fill TEXT;
        CREATE INDEX versions_by_fill ON versions (id) WHERE fill IS NOT NULL;
        """

    /// Operators belong to the database, not to an environment.
    static let operators = """
        CREATE TABLE operators (
            name TEXT PRIMARY KEY,
            scope TEXT NOT NULL,
            password_hash TEXT NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Tokens for the first operator.
        CREATE TABLE operator_setups (
            token_hash BLOB PRIMARY KEY,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE operator_sessions (
            token_hash BLOB PRIMARY KEY,
            name TEXT NOT NULL REFERENCES operators (name) ON DELETE CASCADE,
            used_at INTEGER NOT NULL,
            confirmed_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX operator_sessions_by_name ON operator_sessions (name, used_at);

        CREATE TABLE operator_tokens (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            token_hash BLOB NOT NULL UNIQUE,
            name TEXT NOT NULL,
            scope TEXT NOT NULL,
            environment_name TEXT,
            author TEXT NOT NULL REFERENCES operators (name) ON DELETE CASCADE,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE activities (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            actor TEXT NOT NULL,
            origin TEXT NOT NULL,
            act TEXT NOT NULL,
            environment_name TEXT,
            target TEXT NOT NULL,
            before_text TEXT NOT NULL,
            after_text TEXT NOT NULL
        ) STRICT;
        CREATE INDEX activities_by_time ON activities (at);
        CREATE TRIGGER activity_changed BEFORE UPDATE ON activities BEGIN
            SELECT RAISE(ABORT, 'an entry of the activity log never changes');
        END;
        """
}
