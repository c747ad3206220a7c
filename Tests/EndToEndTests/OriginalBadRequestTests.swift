import ArchiveKit
import Foundation
import JSON
import SyncProtocol
import Testing

@Suite("Invalid requests of original clients change nothing")
struct OriginalBadRequestTests {
    private static let model = "ConflictsEntity"
    private static let line =
        #"{"model":"ConflictsEntity","guid":"6f3ab0f2-6a5c-4c39-8d43-0a2f3c4b5d6e","#
        + #""fields":{"title":"x","score":"1","s_deleted":"false"}}"#

    private static func data(_ text: String) -> HandMadeEntry { HandMadeEntry("data", text) }

    /// Archives and the expected messages.
    static let archives: [(name: String, bytes: [UInt8], word: String)] = [
        ("nothing", [], "ZIP"),
        ("no archive", Array("hello, hello, hello, hello".utf8), "ZIP"),
        ("cut off", Array(HandMadeArchive([data(line)]).bytes.dropLast(30)), "ZIP"),
        ("no records", HandMadeArchive([HandMadeEntry("deletedFiles")]).bytes, "'data'"),
        (
            "too tight",
            (try? HandMadeEntry("data", deflating: [UInt8](repeating: 32, count: 20 << 20)))
                .map { HandMadeArchive([$0]).bytes } ?? [], "'data'"
        ),
        (
            "wrong checksum", HandMadeArchive([data(line).with { $0.checksum ^= 1 }]).bytes,
            "'data'"
        ),
        (
            "too large an entry",
            HandMadeArchive([data(line).with { $0.size = 256 << 20 + 1 }]).bytes,
            "and may have 268435456"
        ),
        (
            "encrypted", HandMadeArchive([data(line).with { $0.flags |= 1 }]).bytes, "'data'"
        ),
    ]

    /// The client would send it again for ever.
    @Test(arguments: archives.indices)
    func illegalArchiveIsKeptForOperator(index: Int) async throws {
        let (name, bytes, word) = Self.archives[index]
        let server = try await RunningServer(definition: "Conflicts")
        let client = try OriginalClient("a", of: server)
        for _ in 0..<2 {
            let ticket = try await client.post(archive: bytes).text
            #expect(try await client.status(of: ticket) == .finished, "\(name)")
        }
        let refusals = try await server.site.refusals()
        let refusal = try #require(refusals.first)
        #expect(refusals.count == 1 && refusal.content == #"{"archive":true}"#, "\(name)")
        #expect(refusal.causes[0].message.contains(word), "\(name): \(refusal)")
        #expect(try await server.site.saved(refusal) == bytes)
        #expect(try await server.client("a").records().isEmpty)
        try await client.synchronize()
    }

    /// Records before the fault, or beside it, are taken in.
    @Test func damagedFileStopsNoRecord() async throws {
        let server = try await RunningServer(definition: "Dates")
        let client = try OriginalClient("a", of: server)
        let (guid, file) = (fresh(), fresh())
        let picture = #"{\"guid\":\"\#(file)\",\"filename\":\"a.png\"}"#
        let line =
            #"{"model":"Occasion","guid":"\#(guid)","fields":{"kind":"holiday","name":"Spring","#
            + #""date":"1767225600000","picture":"\#(picture)","s_deleted":"false"}}"#
        let archive = HandMadeArchive([
            Self.data(line), HandMadeEntry(file, "contents").with { $0.checksum ^= 1 },
        ]).bytes
        let ticket = try await client.post(archive: archive).text
        #expect(try await client.status(of: ticket) == .finished)
        #expect(try await client.data(of: ticket).lines.map(\.guid) == [guid])
        let refusals = try await server.site.refusals()
        #expect(refusals.map(\.guid) == [guid, ""])
        #expect(refusals.map { $0.contents?.size } == [nil, archive.count])
        #expect(try await server.site.saved(refusals[1]) == archive)
    }

    /// Entries beside the records, and the expected messages.
    static let faultyEntries: [(name: String, entries: [HandMadeEntry], words: String)] = [
        ("a path", [HandMadeEntry("../a", "x")], "'../a'"),
        ("encrypted", [HandMadeEntry("a", "x").with { $0.flags |= 1 }], "'a' is encrypted"),
        ("twice", [HandMadeEntry("a", "x"), HandMadeEntry("a", "y")], "'a' is there twice"),
        (
            "too large", [HandMadeEntry("a", "x").with { $0.size = 256 << 20 + 1 }],
            "and may have 268435456"
        ),
        (
            "too many files", (0...10_000).map { HandMadeEntry("\($0)", "x") },
            "10002 entries, and may have 10000"
        ),
    ]

    @Test(arguments: faultyEntries.indices)
    func faultyEntryStopsNoRecord(index: Int) async throws {
        let (name, entries, words) = Self.faultyEntries[index]
        let server = try await RunningServer(definition: "Conflicts")
        let client = try OriginalClient("a", of: server)
        let archive = HandMadeArchive(entries + [Self.data(Self.line)]).bytes
        for _ in 0..<2 {
            let ticket = try await client.post(archive: archive).text
            #expect(try await client.status(of: ticket) == .finished, "\(name)")
        }
        #expect(try await server.client("a").records().count == 1, "\(name)")
        let refusals = try await server.site.refusals()
        #expect(refusals.map(\.content) == [#"{"archive":true}"#], "\(name)")
        #expect(refusals[0].causes[0].message.contains(words), "\(name): \(refusals)")
        #expect(try await server.site.saved(refusals[0]) == archive)
    }

    @Test func archiveIsRefusedWhenNoneCanBeKept() async throws {
        let server = try await RunningServer(
            definition: "Conflicts", arguments: "--max-loose-file-bytes", "10")
        let client = try OriginalClient("a", of: server)
        let ticket = try await client.post(archive: Array("no archive".utf8) + [0]).text
        #expect(try await client.status(of: ticket).status == "REJECTED")
        #expect(try await server.site.refusals() == [])
        let short = try await client.post(archive: Array("no archive".utf8)).text
        #expect(try await client.status(of: short) == .finished)
    }

    /// Lines and the expected messages.
    static let lines: [(line: String, words: String)] = [
        ("{", "line 2 of 'data'"), ("[]", "it is not a JSON object"), ("\u{0}", "line 2 of 'data'"),
        (#"{"guid":"g","fields":{}}"#, "it has no text 'model'"),
        (#"{"model":"m","guid":7,"fields":{}}"#, "it has no text 'guid'"),
        (#"{"model":"m","guid":"g"}"#, "it has no 'fields'"),
        (#"{"model":"m","guid":"g","fields":[]}"#, "its 'fields' are not a JSON object"),
        (
            #"{"model":"m","guid":"g","fields":{"s_deleted":"perhaps"}}"#,
            "its 's_deleted' is neither true nor false"
        ),
        (
            String(repeating: "[", count: 100_000), "line 2 of 'data'"
        ),
        (
            #"{"model":"m","guid":"g","fields":{"a":["#
                + String(repeating: "[],", count: 200_000) + "0]}}",
            "its values need more than 25165824 bytes of memory"
        ),
        (#"{"model":"ConflictsEntity","guid":"../x","fields":{"title":"x"}}"#, "../x"),
    ]

    @Test(arguments: lines.indices)
    func illegalLineIsReportedAndTheOthersAreApplied(index: Int) async throws {
        let (line, words) = Self.lines[index]
        let server = try await RunningServer(definition: "Conflicts")
        let client = try OriginalClient("a", of: server)
        let archive = HandMadeArchive([Self.data("\(Self.line)\r\n\(line)\n\n")]).bytes
        let ticket = try await client.post(archive: archive).text
        #expect(try await client.status(of: ticket) == .finished)
        #expect(try await client.data(of: ticket).lines.count == 1)
        try await client.confirm(ticket)
        #expect(try await server.client("a").records().count == 1)
        let refusal = try #require(try await server.site.refusals().first)
        #expect(refusal.causes[0].message.contains(words), "\(refusal)")
    }

    static let bodies: [(type: String, body: String, word: String)] = [
        ("application/zip", "PK", "multipart/form-data"),
        ("multipart/form-data", "PK", "boundary"),
        ("multipart/form-data; boundary=b", "--c\r\n", "boundary"),
        ("multipart/form-data; boundary=b", "--b\r\n\r\n\r\n--b--\r\n", "name"),
        (
            "multipart/form-data; boundary=b",
            "--b\r\ncontent-disposition: form-data; name=other\r\n\r\nx\r\n--b--\r\n", "'file'"
        ),
        (
            "multipart/form-data; boundary=b",
            "--b\r\ncontent-disposition: form-data; name=file\r\n\r\nx", "last boundary"
        ),
    ]

    @Test(arguments: bodies.indices)
    func illegalBodyIsRefused(index: Int) async throws {
        let (type, body, word) = Self.bodies[index]
        let server = try await RunningServer(definition: "Conflicts")
        for _ in 0..<2 {
            let answer = try await OriginalClient("a", of: server).ask(
                "POST", "synchronize", body: Data(body.utf8), headers: ["Content-Type": type])
            let error = try OriginalError(answer)
            #expect(error.code == "syncRejected" && error.message.contains(word), "\(error)")
        }
        let refusals = try await server.site.refusals()
        #expect(refusals.map { $0.causes[0].message.contains(word) } == [true])
        #expect(refusals[0].contents == nil)
    }

    @Test(arguments: ["checkStatus", "data", "confirm", "conflictHistory", "client/user/get"])
    func missingParameterIsNamed(path: String) async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let client = try OriginalClient("a", of: server)
        let answer = try await client.ask(path == "confirm" ? "POST" : "GET", path)
        let error = try OriginalError(answer)
        #expect(error.message.contains("has no parameter"))
    }

    private func request(_ line: OriginalLine, by client: OriginalClient) throws -> Data {
        let body = OriginalClient.body(of: try client.archive([line]))
        let headers = client.headers.merging(OriginalClient.contentType) { $1 }
        let head =
            "POST /sync/v2/synchronize HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n"
            + headers.map { "\($0.key): \($0.value)\r\n" }.joined() + "\r\n"
        return Data(head.utf8) + body
    }

    /// Cut at every fiftieth byte of the request.
    @Test func pushThatIsCutAnywhereChangesNothing() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let line = OriginalLine(fresh(), of: Self.model, ["title": "Solaris", "score": "1"])
        let request = try request(line, by: OriginalClient("a", of: server))
        for count in stride(from: 1, to: request.count, by: 50) {
            let connection = try RawConnection(port: server.port)
            connection.send(request.prefix(count))
            connection.close()
        }
        #expect(try await server.client("a").records().isEmpty)
        // Another user: the server may not have noticed the closed connections yet.
        let whole = try RawConnection(port: server.port)
        whole.send(try self.request(line, by: OriginalClient("b", of: server)))
        #expect(String(decoding: await whole.receive(15), as: UTF8.self) == "HTTP/1.1 200 OK")
        #expect(try await server.client("a").records().map(\.guid) == [line.guid])
    }
}
