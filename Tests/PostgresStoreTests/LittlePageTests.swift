import DefinitionModel
import PostgresKit
import SyncEngine
import TestKit
import Testing

@testable import PostgresStore

@Suite("Small pages", .timeLimit(.minutes(20)))
struct LittlePageTests {
    /// Others wait for small pages: no record is read that is large by itself, and with many pages
    /// at a time their records have to be smaller. Both pages are equal in the end.
    @Test(arguments: [
        (bytes: 100, pages: 1, isLittle: true), (65_535, 1, true), (65_536, 1, false),
        (9_000_000, 1, false), (7_709, 64, true), (7_710, 64, false),
    ])
    func largeRecordIsReadSeparately(bytes: Int, pages count: Int, isLittle: Bool) async throws {
        let server = try TestServer()
        let store = try await server.open()
        let environment = try await store.environment()
        let fields = #"{"x":"\#(String(repeating: "x", count: bytes - 8))"}"#
        try await store.write(
            WriteSet(records: [.test("1", fieldsText: fields), .test("2")]), in: environment)
        for limit in 1...3 {
            let requests = (1...count).map { number in
                PageRequest(
                    environment: environment, afterSequence: 0, limit: limit, maxScanned: 100,
                    maxBytes: 1 << 30, skipsDeleted: false, knownSequence: Int64(number - 1))
            }
            let request = requests[0]
            let pages = LittlePages(requests, in: environment, at: 0)
            let little = try await store.ask {
                try pages.pages(in: $0.rows(of: pages.statements)[0])[0]
            }
            let page = try await store.page(request)
            #expect(page.records.map(\.fieldsText).first == fields && page.hasMore == (limit < 2))
            #expect(little == (isLittle ? page : nil))
        }
    }

    /// The statement is made before the commit, and the pages are taken apart after it.
    @Test func pagesAreThoseOfTheirRequests() async throws {
        let store = try await TestServer().open()
        let environment = try await store.environment()
        try await store.write(
            WriteSet(records: (1...20).map { .test("\($0)") }), in: environment)
        let requests = (0..<20).map { number in
            PageRequest(
                environment: environment, afterSequence: Int64(number % 15), limit: 1,
                maxScanned: 100, maxBytes: 1000, skipsDeleted: false, knownSequence: 0)
        }
        let made = (0..<20).map { _ in LittlePages(requests, in: environment, at: 0) }
        for pages in made {
            let found = try await store.ask {
                try pages.pages(in: $0.rows(of: made[0].statements)[0])
            }
            #expect(
                found.map { $0?.records.map(\.guid) } == (0..<20).map { ["\($0 % 15 + 1)"] })
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
