import DefinitionModel
import PostgresKit
import SyncEngine
import TestKit
import Testing

@testable import PostgresStore

@Suite("Small pages", .timeLimit(.minutes(20)))
struct LittlePageTests {
    /// Others wait for small pages: the texts of several records together may be large, but none is
    /// read that is large by itself. Both pages are equal in the end.
    @Test(arguments: [
        (bytes: 100, isLittle: true), (65_535, true), (65_536, false), (9_000_000, false),
    ])
    func largeRecordIsReadSeparately(bytes: Int, isLittle: Bool) async throws {
        let server = try TestServer()
        let store = try await server.open()
        let environment = try await store.environment()
        let fields = #"{"x":"\#(String(repeating: "x", count: bytes - 8))"}"#
        try await store.write(
            WriteSet(records: [.test("1", fieldsText: fields), .test("2")]), in: environment)
        for limit in 1...3 {
            let request = PageRequest(
                environment: environment, afterSequence: 0, limit: limit, maxScanned: 100,
                maxBytes: 1 << 30, skipsDeleted: false, knownSequence: 0)
            let pages = LittlePages([request], in: environment, at: 0)
            let little = try await store.ask {
                try pages.pages(in: $0.rows(of: pages.statements)[0])[0]
            }
            let page = try await store.page(request)
            #expect(page.records.map(\.fieldsText).first == fields && page.hasMore == (limit < 2))
            #expect(little == (isLittle && bytes < LittlePages.mostBytes ? page : nil))
        }
    }

    /// Not every server offers it.
    @Test func largeTextsAreCompressedQuickly() async throws {
        let server = try TestServer()
        let store = try await server.open()
        let offered = try await store.text(
            "SELECT enumvals::text FROM pg_settings WHERE name = 'default_toast_compression'")
        let fields = #"{"x":"\#(String(repeating: "x", count: 10_000))"}"#
        let environment = try await store.environment()
        try await store.write(WriteSet(records: [.test("1", fieldsText: fields)]), in: environment)
        let used = try await store.text("SELECT pg_column_compression(fields) FROM records")
        #expect(used == (offered?.contains("lz4") == true ? "lz4" : "pglz"))
    }

    /// A session keeps what the operator of the server has chosen.
    @Test(arguments: [("default_toast_compression", "pglz"), ("work_mem", "4MB")])
    func chosenSettingIsKept(name: String, value: String) async throws {
        let server = try TestServer()
        let first = try await server.open()
        try await first.carryOut(
            "ALTER DATABASE \(server.database.name) SET \(name) TO '\(value)'")
        let later = try await server.open()
        #expect(try await later.text("SELECT current_setting('\(name)')") == value)
    }

    /// The rows of the largest statements are not written to a file first.
    @Test func largeStatementsStayInMemory() async throws {
        let store = try await TestServer().open()
        #expect(try await store.text("SELECT current_setting('work_mem')") == "32MB")
    }
}
