import Foundation
import JSON
import SyncProtocol
import Synchronization
import TestKit
import Testing

/// A real server calls a real webhook.
@Suite(.serialized, .timeLimit(.minutes(5))) struct WebhookTests {
    private func server(
        _ prefixes: String?, _ arguments: String...
    ) async throws -> RunningServer {
        let allowed = prefixes.map { ["--callback-prefixes", $0] } ?? []
        let server = try await RunningServer(
            site: try await Site(prepared: "FieldService"), arguments: allowed + arguments)
        try await server.site.sql("UPDATE users SET is_admin = true WHERE login = 'dora'")
        return server
    }

    private func register(
        _ client: Client, _ url: String, type: String = "http"
    ) async throws -> PushTokenResponse {
        let answer = try await client.call("PUT", "pushTokens/\(type)", #"{"token": "\#(url)"}"#)
        #expect(answer.status == 200, "\(answer.text)")
        return try answer.message(as: PushTokenResponse.self)
    }

    @Test func deviceIsCalledAtItsURL() async throws {
        let receiver = try WebhookReceiver()
        let base = "http://127.0.0.1:\(receiver.port)/hooks"
        let server = try await server("https://elsewhere.example \(base)")
        let (dora, tina) = (try server.client("dora", on: "office"), try server.client("tina"))
        let registered = try await register(tina, "\(base)/tina?key=secret")
        #expect(registered == PushTokenResponse(type: "http", reached: true))
        let sent = try await dora.notify(
            #"{"id": "n-1", "users": ["tina"], "notification": {"part": 1.5}}"#)
        #expect(sent == NotificationResponse(id: "n-1", unreachable: [:]))
        let call = try #require(await receiver.next())
        #expect(call.line == "POST /hooks/tina?key=secret HTTP/1.1")
        #expect(call.headers.lowercased().contains("content-type: application/json"))
        let message = try decodeMessage(NotificationMessage.self, from: Array(call.body))
        #expect(message.id == "n-1" && message.sender == "dora" && message.login == "tina")
        #expect(message.deviceIdentifier == "phone")
        #expect(message.notification == ["part": .decimal("1.5")])
    }

    /// The last notification shows that the first one was processed.
    @Test func urlOutsideIsNeverCalled() async throws {
        let (receiver, other) = (try WebhookReceiver(), try WebhookReceiver())
        let server = try await server("http://127.0.0.1:\(receiver.port)/hooks")
        let (tina, tom) = (try server.client("tina"), try server.client("tom"))
        for url in [
            "http://127.0.0.1:\(other.port)/hooks", "http://127.0.0.1:\(receiver.port)/hooksx",
            "http://127.0.0.1:\(receiver.port)/hooks/../x",
            "http://a@127.0.0.1:\(receiver.port)/hooks", "http://localhost:\(receiver.port)/hooks",
        ] {
            #expect(try await register(tina, url).reached == false)
            try await tina.notify(#"{"notification": {}}"#)
            // Another device of another user, so that the next notification is for both.
            _ = try await register(
                Client(server: server, token: try await server.signIn("tom", device: "t").token),
                "http://127.0.0.1:\(receiver.port)/hooks/last")
            try await tom.notify(#"{"id": "\#(fresh())", "users": ["tom"], "notification": {}}"#)
            while let call = await receiver.next() {
                #expect(call.line == "POST /hooks/last HTTP/1.1")
                if call.body.contains(Data("\"sender\":\"tom\"".utf8)) { break }
            }
        }
        #expect(await server.stop() == 0)
        let log = try server.log()
        #expect(log.contains("the token is not an allowed webhook URL"))
        #expect(!log.contains("hooksx"))
        #expect(!other.wasCalled)
    }

    @Test func withoutPrefixesNothingIsCalled() async throws {
        let receiver = try WebhookReceiver()
        let server = try await server(nil)
        let tina = try server.client("tina")
        let url = "http://127.0.0.1:\(receiver.port)/"
        #expect(try await register(tina, url).reached == false)
        #expect(try await tina.notify(#"{"notification": {}}"#).unreachable == ["http": 1])
        #expect(await server.stop() == 0)

        // A notification that is not too old is delivered by the next server.
        let next = try await RunningServer(
            site: server.site, arguments: ["--callback-prefixes", url])
        let call = try #require(await receiver.next())
        #expect(call.line == "POST / HTTP/1.1")
        withExtendedLifetime(next) {}
    }

    /// A redirect could lead from an allowed server to another one.
    @Test func redirectIsNotFollowedAndGoneTokenIsDropped() async throws {
        let elsewhere = try WebhookReceiver()
        let receiver = try WebhookReceiver(answering: [
            "/away": "307 Temporary Redirect\r\nLocation: http://127.0.0.1:\(elsewhere.port)/",
            "/gone": "410 Gone", "/none": "404 Not Found", "/broken": "500 Oops",
        ])
        let base = "http://127.0.0.1:\(receiver.port)"
        let server = try await server(base)
        let dora = try server.client("dora", on: "office")
        let paths = ["away", "gone", "none", "broken", "good"]
        for path in paths {
            let session = try await server.signIn("tina", device: path)
            _ = try await register(
                Client(server: server, token: session.token), "\(base)/\(path)?key=secret")
        }
        let left = ["away", "broken", "good"]
        for called in [paths, left] {
            try await dora.notify(#"{"users": ["tina"], "notification": {}}"#)
            var lines: [String] = []
            for _ in called { lines.append(try #require(await receiver.next()).line) }
            #expect(lines.sorted() == called.map { "POST /\($0)?key=secret HTTP/1.1" }.sorted())
            // Another process could deliver the next one before this is stored.
            try await dora.waitForPushTokens(ofDevices: left)
        }
        #expect(await server.stop() == 0)
        let log = try server.log()
        for cause in ["answered 307", "answered 500", "a push token is gone"] {
            #expect(log.contains(cause), "\(log)")
        }
        #expect(!log.contains("secret"))
        #expect(!elsewhere.wasCalled)
    }

    /// The connection ends within the head of the answer, as if the server crashed or were
    /// malicious.
    /// The process ends after a device has the notification, and before that is stored. The next
    /// one delivers it again, with the id by which the device recognises it.
    @Test func notificationOfKilledServerIsDeliveredAgain() async throws {
        let victim = Victim()
        let receiver = try WebhookReceiver(received: { victim.killOnce() })
        let base = "http://127.0.0.1:\(receiver.port)/hooks"
        let first = try await RunningServer(
            site: try await Site(prepared: "FieldService"), processes: 1,
            arguments: ["--callback-prefixes", base])
        let tina = try first.client("tina")
        _ = try await register(tina, "\(base)/tina")
        victim.process.withLock { $0 = first.processIdentifier }
        // The answer may be lost with the process.
        _ = try? await tina.call("POST", "notifications", #"{"id": "n-1", "notification": {}}"#)
        #expect(await first.exitCode() == SIGKILL)
        let second = try await RunningServer(
            site: first.site, processes: 1, arguments: ["--callback-prefixes", base])
        // The claim of the killed process has not expired yet.
        try await first.site.sql("UPDATE deliveries SET expires_at = 0")
        for _ in 1...2 {
            let call = try #require(await receiver.next())
            let message = try decodeMessage(NotificationMessage.self, from: Array(call.body))
            #expect(message.id == "n-1" && message.login == "tina")
        }
        #expect(await second.stop() == 0)
    }

    @Test func serverThatBreaksOffIsLogged() async throws {
        let receiver = try WebhookReceiver(cutting: ["/cut": 30])
        let base = "http://127.0.0.1:\(receiver.port)"
        let server = try await server(base)
        let tina = try server.client("tina")
        _ = try await register(tina, "\(base)/cut")
        for _ in 0..<3 {
            try await tina.notify(#"{"notification": {}}"#)
            #expect(try #require(await receiver.next()).path == "/cut")
        }
        #expect(await server.stop() == 0)
        #expect(try server.log().contains("\(base) did not answer: the answer broke off"))
    }

    @Test func serverThatIsNotThereIsLogged() async throws {
        let base = "http://127.0.0.1:1"
        let receiver = try WebhookReceiver()
        let server = try await server("\(base) http://127.0.0.1:\(receiver.port)")
        let tina = try server.client("tina")
        _ = try await register(tina, "\(base)/secret")
        _ = try await register(
            Client(server: server, token: try await server.signIn("tina", device: "z").token),
            "http://127.0.0.1:\(receiver.port)/")
        try await tina.notify(#"{"notification": {}}"#)
        #expect(await receiver.next() != nil)
        #expect(await server.stop() == 0)
        #expect(try server.log().contains("\(base) did not answer"))
        #expect(try !server.log().contains("/secret"))
    }
}

extension Client {
    /// Waits until only these devices have tokens.
    fileprivate func waitForPushTokens(ofDevices expected: [String]) async throws {
        _ = try await asked(
            {
                try await call("GET", "pushTokens").message(as: PushTokensResponse.self)
                    .tokens.map(\.deviceIdentifier)
            }, until: { $0 == expected })
    }
}

/// A process that is killed at a moment of its own work.
private final class Victim: Sendable {
    let process = Mutex<Int32?>(nil)

    /// Without an effect until there is a process, and after the first time.
    func killOnce() {
        let victim = process.withLock { process in
            defer { process = nil }
            return process
        }
        if let victim { kill(victim, SIGKILL) }
    }
}
