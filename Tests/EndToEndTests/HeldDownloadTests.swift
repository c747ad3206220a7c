import Foundation
import JSON
import Testing

/// The archive of a delivery stays on the disk until it is sent.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HeldDownloadTests {
    /// Sends the request of a download, and reads no more than the head of the answer.
    private func download(
        _ ticket: String, by client: OriginalClient
    ) async throws -> (connection: RawConnection, status: String) {
        let connection = try RawConnection(port: client.server.port, buffering: 4096)
        let headers = client.headers.map { "\($0): \($1)\r\n" }.joined()
        connection.send(
            "GET /sync/v2/data?ticket=\(ticket) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(headers)\r\n")
        let head = await connection.receive(until: "\r\n\r\n")
        return (connection, String(head.dropFirst(9).prefix(3)))
    }

    @Test func downloadCountsUntilItIsSent() async throws {
        let server = try await RunningServer(
            definition: "Dates", processes: 1, arguments: "--max-body-seconds", "600")
        let (phone, file) = (try OriginalClient("a", of: server), fresh())
        // More than sockets keep, and random, so that the archive is no smaller.
        let bytes = (0..<(16 << 20)).map { _ in UInt8.random(in: 0...255) }
        let record = OriginalLine(
            fresh(), of: "Occasion",
            [
                "kind": "holiday", "name": "Spring", "date": "1767225600000",
                "picture": .object(["guid": .string(file), "filename": "a.png"]),
            ])
        try await phone.synchronize([record], files: [file: bytes])

        let tablet = try OriginalClient("a", on: "tablet", of: server)
        let ticket = try await tablet.send([])
        var held: [RawConnection] = []
        for _ in 0..<8 {
            let (connection, status) = try await download(ticket, by: tablet)
            #expect(status == "200")
            held.append(connection)
        }
        let refused = try await tablet.ask("GET", "data?ticket=\(ticket)")
        #expect(refused.status == 429, "\(refused.text)")
        // Other users have places of their own.
        #expect(try await OriginalClient("b", of: server).synchronize().lines.isEmpty)

        // Closes the sockets, which the server notices at once.
        held.removeAll()
        let answer = try await asked(
            { try await tablet.ask("GET", "data?ticket=\(ticket)") }, until: { $0.status != 429 })
        #expect(try OriginalDelivery(archive: answer.body).files == [file: bytes])
    }
}
