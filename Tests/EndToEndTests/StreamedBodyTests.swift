import Foundation
import JSON
import SyncProtocol
import Testing

/// A streamed body cannot be read again. Here another definition is deployed while the server has
/// received a part of it.
@Suite("A definition is deployed while a body arrives", .serialized, .timeLimit(.minutes(5)))
struct StreamedBodyTests {
    /// The same definition with another conflict mode.
    private func deployAnother(in site: Site) async throws {
        let text = try String(contentsOfFile: site.definition, encoding: .utf8)
            .replacing(/conflictMode="\w+"/, with: #"conflictMode="DISCARD""#)
        let deployed = try await site.deployAcceptingAll(try site.writing(text, to: "next.xml"))
        #expect(deployed.errors.contains("deployed to"), "\(deployed.errors)")
    }

    @Test func uploadIsFinishedUnderIt() async throws {
        let server = try await RunningServer(
            site: .withFiles(), arguments: RunningServer.patient)
        let a = try server.client("a")
        let (guid, bytes) = (fresh(), someBytes(200_000))
        let connection = try RawConnection(port: server.port)
        connection.send(
            a.wireUpload(
                of: guid, digest: digest(of: bytes), length: bytes.count,
                headers: "Connection: close\r\n") + bytes.prefix(100_000))
        try await waitUntilKnown(guid, to: a)
        try await a.waitForUpload(of: guid, bytes: 100_000)
        try await deployAnother(in: server.site)
        connection.send(bytes.dropFirst(100_000))
        #expect(await connection.receiveAll().contains("201 Created"))
        #expect(try await a.get(guid).body == bytes)
    }

    @Test func archiveIsTakenInUnderIt() async throws {
        let server = try await RunningServer(
            site: Site(prepared: "Conflicts"), arguments: RunningServer.patient)
        let client = try OriginalClient("a", of: server)
        let line = OriginalLine(fresh(), of: "ConflictsEntity", ["title": "Solaris", "score": "1"])
        let body = OriginalClient.body(of: try client.archive([line]))
        let headers = client.headers.merging(OriginalClient.contentType) { $1 }
        let connection = try RawConnection(port: server.port)
        connection.send(
            "POST /sync/v2/synchronize HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                + "Expect: 100-continue\r\nContent-Length: \(body.count)\r\n"
                + headers.map { "\($0.key): \($0.value)\r\n" }.joined() + "\r\n")
        #expect(await connection.receive(until: "\r\n\r\n").contains("100 Continue"))
        connection.send(body.prefix(100))
        try await deployAnother(in: server.site)
        connection.send(body.dropFirst(100))
        let answer = await connection.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 200 OK"), "\(answer)")
        let ticket = try #require(answer.split(separator: "\r\n").last).description
        #expect(try await client.status(of: ticket) == .finished)
        #expect(try await server.client("b").record(line.guid).fields?["title"] == "Solaris")
    }
}
