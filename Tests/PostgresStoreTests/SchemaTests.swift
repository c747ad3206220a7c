import PostgresKit
import SyncEngine
import TestKit
import Testing

@testable import PostgresStore

@Suite("The tables and their version", .timeLimit(.minutes(20)))
struct SchemaTests {
    @Test func databaseOfALaterVersionIsRefusedAndLeftAsItIs() async throws {
        let server = try TestServer()
        let store = try await server.open()
        try await store.carryOut("UPDATE migrations SET version = 999")
        await #expect(
            throws: StoreError.unreadable(
                "the database was written by a later version of waggle", remedy: .laterWaggle)
        ) { try await server.open() }
        #expect(try await store.text("SELECT version::text FROM migrations") == "999")
        try await store.carryOut(
            "UPDATE migrations SET version = \(PostgresSchema.migrations.count)")
    }

    /// Before the second version, records of an owner were ordered by guid.
    @Test func databaseOfEarlierVersionIsBroughtUpToDate() async throws {
        let server = try TestServer()
        let store = try await server.open()
        try await store.carryOut("DROP SCHEMA waggle CASCADE")
        try await store.carryOut("CREATE SCHEMA waggle")
        for statement in PostgresSchema.migrations[0] + [
            "CREATE TABLE migrations (version bigint NOT NULL)",
            "INSERT INTO migrations VALUES (1)",
        ] { try await store.carryOut(statement) }
        let columns = """
            SELECT string_agg(attname::text, ' ' ORDER BY attnum) FROM pg_attribute
            WHERE attrelid = 'records_by_owner'::regclass
            """
        let former = "environment model group_name owner guid"
        #expect(try await store.text(columns) == former)
        let later = try await server.open()
        #expect(
            try await later.text(columns) == "environment model group_name owner created guid")
        #expect(
            try await later.text("SELECT version::text FROM migrations")
                == "\(PostgresSchema.migrations.count)")
    }

    /// Earlier versions stored the clock's time of the last change, which may repeat or go back.
    @Test func recordsGetUniqueStamps() async throws {
        let server = try TestServer()
        let store = try await server.open()
        try await store.carryOut("DROP SCHEMA waggle CASCADE")
        try await store.carryOut("CREATE SCHEMA waggle")
        for statement in PostgresSchema.migrations[0] + PostgresSchema.migrations[1] + [
            "CREATE TABLE migrations (version bigint NOT NULL)",
            "INSERT INTO migrations VALUES (2)",
        ] { try await store.carryOut(statement) }
        for record in RecordBeforeStamps.all {
            try await store.carryOut(
                """
                INSERT INTO records VALUES (1, '\(record.guid)', \(record.sequence), 'Note', 'a',
                    'g', 1, false, false, '{}', \(record.created), 0, \(record.changedAt))
                """)
            guard let at = record.createdAt else { continue }
            try await store.carryOut(
                """
                INSERT INTO history (environment, guid, revision, kind, change_id, login,
                    device_category, device_identifier, at, was_deleted, fields, sequence)
                VALUES (1, '\(record.guid)', 1, 'created', 'c', 'a', 'd', 'i', \(at), false,
                    '{}', 1)
                """)
        }
        let later = try await server.open()
        let stamps = try await later.text(
            "SELECT string_agg(stamps, ',') FROM (\(RecordBeforeStamps.selection)) AS x (stamps)")
        #expect(stamps == RecordBeforeStamps.stamps.joined(separator: ","))
    }

    @Test func schemaOfAnotherProgramIsLeftAlone() async throws {
        let server = try TestServer()
        let store = try await server.open()
        try await store.carryOut("DROP SCHEMA waggle CASCADE")
        try await store.carryOut("CREATE SCHEMA waggle")
        try await store.carryOut("CREATE TABLE waggle.notes (text text)")
        await #expect(
            throws: StoreError.unreadable(
                "the database has a schema 'waggle' of another program",
                remedy: .otherDatabase)
        ) { try await server.open() }
        try await store.carryOut("DROP SCHEMA waggle CASCADE")
    }

    @Test func openingWithoutCreatingCreatesNothing() async throws {
        let server = try TestServer()
        let store = try await server.open()
        try await store.carryOut("DROP SCHEMA waggle CASCADE")
        let address = try PostgresAddress(server.database.address)
        await #expect(
            throws: StoreError.unreadable(
                "there is nothing of waggle in it", remedy: .deployment)
        ) { try await PostgresDatabase(address: address, creating: false) }
        #expect(
            try await store.text("SELECT count(*)::text FROM pg_namespace WHERE nspname = 'waggle'")
                == "0")
    }

    /// Independent of the server's own setting.
    @Test func commitIsAnsweredWhenItIsOnDisk() async throws {
        let server = try TestServer()
        let store = try await server.open()
        try await store.carryOut(
            "ALTER DATABASE \(server.database.name) SET synchronous_commit TO off")
        let later = try await server.open()
        #expect(try await later.text("SELECT current_setting('synchronous_commit')") == "on")
        try await store.carryOut(
            "ALTER DATABASE \(server.database.name) RESET synchronous_commit")
    }
}

@Suite("Texts are stored unchanged") struct TextTests {
    @Test(arguments: [
        "", "a", "\u{0}", "\u{1}", "\u{2}", "a\u{0}b\u{1}c", "\u{0}\u{0}\u{1}\u{1}", "é",
        "e\u{301}",
        "💃", "'; DROP TABLE users; --", "\\", "{\"a\":1}",
    ])
    func textsComeBackAloneAndInArrays(text: String) async throws {
        let store = try await TestServer().open()
        let found = try await store.ask { transaction in
            try transaction.rows(
                "SELECT $1::text, $2::text[]", [.text(text), .texts([text, "x", text])]
            ).map { (one: try $0.text(), all: try $0.optionalTexts() ?? []) }
        }
        #expect(found.map(\.one.utf8.bytes) == [text.utf8.bytes])
        #expect(found.first?.all.map(\.utf8.bytes) == [text, "x", text].map(\.utf8.bytes))
    }

    /// Pages continue after a text, in byte order.
    @Test func theirOrderIsThatOfTheirBytes() async throws {
        let texts = ["", "\u{0}", "\u{0}a", "\u{1}", "\u{1}\u{0}", "\u{2}", "B", "a", "é", "💃"]
        let store = try await TestServer().open()
        let sorted = try await store.ask { transaction in
            try transaction.rows(
                #"SELECT t FROM unnest($1::text[]) AS t ORDER BY t COLLATE "C""#,
                [.texts(texts.reversed())]
            ).map { try $0.text() }
        }
        #expect(sorted == texts)
    }
}

extension String.UTF8View {
    fileprivate var bytes: [UInt8] { Array(self) }
}

@Suite("The address of a database") struct AddressTests {
    @Test(arguments: [
        ("postgres://host/name", "postgres://host/name"),
        ("postgresql://me:secret@host:5433/name", "postgres://me@host:5433/name"),
        ("postgres://host/name?user=me&password=secret", "postgres://me@host/name"),
        ("postgres:///name?host=/run/x", "postgres:///name?host=/run/x"),
        ("postgres://a:secret@one,two:1/name", "postgres://a@one,two:,1/name"),
    ])
    func isShownWithoutItsPassword(address: String, shown: String) throws {
        #expect(try PostgresAddress(address).description == shown)
    }

    @Test func unreadableAddressIsRefused() {
        #expect(throws: StoreError.self) { try PostgresAddress("postgres://%zz") }
    }
}
