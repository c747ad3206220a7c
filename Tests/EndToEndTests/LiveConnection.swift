import Foundation
import JSON
import SyncProtocol
import Testing

/// A client of the live stream.
final class LiveConnection: Sendable {
    let head: String
    private let connection: RawConnection

    /// Returns after the head of the response.
    convenience init(
        _ client: Client, after token: String? = nil, path: String = "/v1/test/live"
    ) async throws {
        let resuming = token.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        try await self.init(client.server, path, token: client.token, headers: resuming)
    }

    /// `headers` end with line breaks, and say who asks if there is no token. `port` is that of one
    /// of the processes.
    init(
        _ server: RunningServer, _ path: String, token: String? = nil, headers: String = "",
        port: Int? = nil
    ) async throws {
        connection = try RawConnection(port: port ?? server.port)
        let bearer = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        connection.send(
            """
            GET \(path) HTTP/1.1\r
            Host: localhost\r
            \(bearer)\(headers)\r

            """)
        head = await connection.receive(until: "\r\n\r\n")
    }

    var status: Int? { head.firstMatch(of: /HTTP\/1\.1 (\d+)/).flatMap { Int($0.1) } }

    /// The next event without its framing; nil at the regular end of the stream.
    func event() async throws -> LiveEvent? {
        let size = await connection.receive(until: "\r\n")
        guard let count = Int(size.prefix(while: \.isHexDigit), radix: 16) else {
            throw Unexpected("the stream broke off: '\(size)'")
        }
        let bytes = await connection.receive(count)
        guard await connection.receive(until: "\r\n") == "\r\n" else {
            throw Unexpected("the stream broke off after '\(bytes)'")
        }
        return count == 0 ? nil : LiveEvent(String(decoding: bytes, as: UTF8.self))
    }

    /// The next event with data, after heartbeats and positions.
    func notification() async throws -> LiveEvent? {
        while let event = try await event() {
            if event.data != nil { return event }
        }
        return nil
    }

    func close() { connection.close() }
}

/// The lines between two empty lines.
struct LiveEvent: Sendable {
    let text: String
    let id: String?
    let name: String?
    let data: String?

    init(_ text: String) {
        self.text = text
        let lines = text.split(separator: "\n").map { $0.split(separator: ": ", maxSplits: 1) }
        func value(_ name: String) -> String? {
            lines.first { $0.count == 2 && $0[0] == name }.map { String($0[1]) }
        }
        id = value("id")
        name = value("event")
        data = value("data")
    }

    func message() throws -> NotificationMessage {
        try decodeMessage(NotificationMessage.self, from: Array(try #require(data).utf8))
    }
}

extension Client {
    /// Sends a request other than a sync.
    func call(_ method: String, _ path: String, _ body: String? = nil) async throws -> Answer {
        try await server.request(
            method, "/v1/test/" + path, body: body.map { Data($0.utf8) },
            headers: headers)
    }

    /// Sends a notification; this must succeed.
    @discardableResult
    func notify(_ body: String) async throws -> NotificationResponse {
        let answer = try await call("POST", "notifications", body)
        guard answer.status == 201 else { throw try server.refusal(answer) }
        return try answer.message(as: NotificationResponse.self)
    }
}
