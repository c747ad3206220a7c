import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

@Suite("Original clients register push tokens and send notifications")
struct OriginalPushTests {
    private func push(_ body: String, by client: OriginalClient) async throws -> Answer {
        try await client.ask(
            "POST", "push", body: Data(body.utf8), headers: ["Content-Type": "application/json"])
    }

    @Test func liveClientsGetTheirNotifications() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let client = try OriginalClient("a", of: server)
        let stream = try await LiveConnection(try server.client("b"))
        _ = try await stream.event()
        let bodies = [
            #"{"device":null,"group":null,"users":null,"notification":{"text":"all"}}"#,
            #"{"users":["a"],"notification":{"text":"another"}}"#,
            #"{"device":"mobile","group":"users","users":["b"],"notification":{"text":"b"}}"#,
        ]
        for body in bodies { #expect(try await push(body, by: client).status == 200) }
        for text in ["all", "b"] {
            let message = try #require(try await stream.notification()).message()
            #expect(message.notification == ["text": .string(text)] && message.sender == "a")
        }
    }

    @Test func deviceIsCalledAtItsURLUntilItUnregisters() async throws {
        let receiver = try WebhookReceiver()
        let url = "http://127.0.0.1:\(receiver.port)/hook"
        let server = try await RunningServer(
            definition: "Conflicts", arguments: "--callback-prefixes", url)
        let client = try OriginalClient("a", of: server)
        let query = "deviceToken=\(url)&deviceType=http"
        _ = try await client.get("GET", "authenticate?\(query)")
        #expect(try await push(#"{"notification":{"n":1}}"#, by: client).status == 200)
        let call = try #require(await receiver.next())
        let message = try decodeMessage(NotificationMessage.self, from: Array(call.body))
        #expect(message.notification == ["n": 1] && message.deviceIdentifier == "phone")
        _ = try await client.get("POST", "unregisterPushToken?\(query)", body: Data())
        #expect(try await server.site.sql("SELECT count(*) FROM push_tokens") == "0")
        _ = try await client.get("POST", "registerPushToken?\(query)", body: Data())
        #expect(try await server.site.sql("SELECT count(*) FROM push_tokens") == "1")
    }

    @Test func tokenOfUnknownTypeIsKeptAndReported() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let client = try OriginalClient("a", of: server)
        _ = try await client.get(
            "POST", "registerPushToken?deviceToken=abc123&deviceType=ios", body: Data())
        #expect(try await push(#"{"notification":{}}"#, by: client).status == 200)
        try await server.site.sql("UPDATE users SET is_admin = true WHERE login = 'b'")
        let listed = try await server.client("b").call("GET", "pushTokens")
        let token = try #require(try listed.message(as: PushTokensResponse.self).tokens.first)
        #expect(token.type == "ios" && token.token == "abc123" && !token.reached)
        await server.stop()
        let log = try server.log()
        #expect(log.contains("nothing here delivers to it"))
        #expect(log.contains("types that nothing here delivers to") && !log.contains("abc123"))
    }

    static let mistakes: [(body: String, word: String)] = [
        ("", "not a JSON object"), ("[]", "not a JSON object"), ("{}", "not a JSON object"),
        (#"{"notification":"x"}"#, "not a JSON object"),
        (#"{"group":"nobody","notification":{}}"#, "'nobody'"),
        (#"{"device":"tv","notification":{}}"#, "'tv'"),
        (#"{"notification":{"x":"\#(String(repeating: "x", count: 5000))"}}"#, "bytes"),
    ]

    @Test func badNotificationsAreRefusedWithReason() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let client = try OriginalClient("a", of: server)
        for (body, word) in Self.mistakes {
            let error = try OriginalError(try await push(body, by: client))
            #expect(error.message.contains(word), "\(body.prefix(50)): \(error)")
        }
        let missing = try await client.ask("POST", "registerPushToken?deviceToken=a", body: Data())
        #expect(try OriginalError(missing).arguments == ["deviceType"])
    }
}
