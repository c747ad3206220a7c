extension PostgresSchema {
    /// Definitions that operators are designing.
    static let drafts = [
        """
        CREATE TABLE drafts (
            name text COLLATE "C" PRIMARY KEY,
            revision bigint NOT NULL,
            author text COLLATE "C" NOT NULL,
            changed_at bigint NOT NULL,
            source bytea NOT NULL
        )
        """
    ]

    /// Every definition that was deployed or imported, numbered for the whole database. Earlier
    /// deployments have neither author nor application.
    static let catalog = [
        "ALTER TABLE environments ADD COLUMN is_locked boolean NOT NULL DEFAULT false",
        """
        CREATE TABLE catalog (
            number bigint PRIMARY KEY,
            vendor text COLLATE "C",
            application text COLLATE "C",
            digest text COLLATE "C" NOT NULL,
            fingerprint text COLLATE "C" NOT NULL,
            source bytea NOT NULL,
            tag text COLLATE "C" NOT NULL DEFAULT '',
            note text COLLATE "C" NOT NULL DEFAULT '',
            author text COLLATE "C" NOT NULL,
            added_at bigint NOT NULL
        )
        """,
        "CREATE INDEX catalog_by_fingerprint ON catalog (fingerprint)",
        "CREATE UNIQUE INDEX catalog_by_tag ON catalog (tag) WHERE tag <> ''",
        """
        INSERT INTO catalog (number, digest, fingerprint, source, author, added_at)
            SELECT row_number() OVER (ORDER BY first_id), digest, fingerprint, source, '', at
            FROM (SELECT min(id) AS first_id, min(digest) AS digest, fingerprint, source,
                min(deployed_at) AS at FROM versions GROUP BY fingerprint, source) AS found
        """,
        "ALTER TABLE versions ADD COLUMN author text COLLATE \"C\" NOT NULL DEFAULT ''",
        "ALTER TABLE versions ADD COLUMN catalog_number bigint NOT NULL DEFAULT 0",
        """
        UPDATE versions SET catalog_number = (SELECT number FROM catalog
            WHERE catalog.fingerprint = versions.fingerprint
                AND catalog.source = versions.source)
        """,
    ]

    /// Earlier deployments have left values under later names; see `StoredVersion.followsBack`.
    static let followedNames = [
        "ALTER TABLE versions ADD COLUMN follows_back boolean NOT NULL DEFAULT false"
    ]

    /// The values that a deployment brings, as JSON, with how far they have come.
    static let fills = [
        "ALTER TABLE versions ADD COLUMN fill text COLLATE \"C\"",
        "CREATE INDEX versions_by_fill ON versions (id) WHERE fill IS NOT NULL",
    ]

    /// Operators belong to the database, not to an environment.
    static let operators = [
        """
        CREATE TABLE operators (
            name text COLLATE "C" PRIMARY KEY,
            scope text COLLATE "C" NOT NULL,
            password_hash text COLLATE "C" NOT NULL,
            created_at bigint NOT NULL
        )
        """,
        "CREATE TABLE operator_setups (token_hash bytea PRIMARY KEY, expires_at bigint NOT NULL)",
        """
        CREATE TABLE operator_sessions (
            token_hash bytea PRIMARY KEY,
            name text COLLATE "C" NOT NULL REFERENCES operators ON DELETE CASCADE,
            used_at bigint NOT NULL,
            confirmed_at bigint NOT NULL
        )
        """,
        "CREATE INDEX operator_sessions_by_name ON operator_sessions (name, used_at)",
        """
        CREATE TABLE operator_tokens (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            token_hash bytea NOT NULL UNIQUE,
            name text COLLATE "C" NOT NULL,
            scope text COLLATE "C" NOT NULL,
            environment_name text COLLATE "C",
            author text COLLATE "C" NOT NULL REFERENCES operators ON DELETE CASCADE,
            created_at bigint NOT NULL,
            expires_at bigint NOT NULL
        )
        """,
        """
        CREATE TABLE activities (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            at bigint NOT NULL,
            actor text COLLATE "C" NOT NULL,
            origin text COLLATE "C" NOT NULL,
            act text COLLATE "C" NOT NULL,
            environment_name text COLLATE "C",
            target text COLLATE "C" NOT NULL,
            before_text text COLLATE "C" NOT NULL,
            after_text text COLLATE "C" NOT NULL
        )
        """,
        "CREATE INDEX activities_by_time ON activities (at)",
        """
        CREATE FUNCTION refuse_change_of_activity() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION 'an entry of the activity log never changes';
        END
        $$
        """,
        """
        CREATE TRIGGER activity_changed BEFORE UPDATE ON activities
            FOR EACH ROW EXECUTE FUNCTION refuse_change_of_activity()
        """,
    ]
}
