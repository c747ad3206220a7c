import Foundation
import SyncProtocol
import Testing

/// Push tokens and notifications on the native wire. `dora` is an admin.
@Suite(.serialized, .timeLimit(.minutes(5))) struct NotificationWireTests {
    private func server(_ arguments: String...) async throws -> RunningServer {
        let server = try await RunningServer(
            site: try await Site(prepared: "FieldService"), arguments: arguments)
        try await server.site.sql("UPDATE users SET is_admin = true WHERE login = 'dora'")
        return server
    }

    @Test func unknownTypeIsKeptAndReported() async throws {
        let server = try await server()
        let (dora, tina) = (try server.client("dora", on: "office"), try server.client("tina"))
        let answer = try await tina.call("PUT", "pushTokens/ios", #"{"token": "<0a 1b>"}"#)
        #expect(answer.status == 200)
        #expect(
            try answer.message(as: PushTokenResponse.self)
                == PushTokenResponse(type: "ios", reached: false))
        let list = try await dora.call("GET", "pushTokens").message(as: PushTokensResponse.self)
        #expect(list.cursor == nil && list.tokens.count == 1)
        let token = try #require(list.tokens.first)
        #expect(token.login == "tina" && token.deviceIdentifier == "phone" && !token.reached)
        #expect(token.type == "ios" && token.token == "<0a 1b>")
        #expect(token.deviceCategory == "mobile")

        let told = try await dora.notify(#"{"id": "n-1", "users": ["tina"], "notification": {}}"#)
        #expect(told == NotificationResponse(id: "n-1", unreachable: ["ios": 1]))
        let tom = try server.client("tom")
        let named = try await tom.call(
            "POST", "notifications", #"{"users": ["tina"], "notification": {}}"#)
        #expect(named.status == 201 && !named.text.contains("unreachable"))
        #expect(try await tom.notify(#"{"notification": {}}"#).unreachable == ["ios": 1])
        #expect(try server.log().contains("nothing here delivers to"))

        #expect(try await tina.call("DELETE", "pushTokens/ios").status == 204)
        #expect(try await tina.call("DELETE", "pushTokens/ios").status == 204)
        let left = try await dora.call("GET", "pushTokens").message(as: PushTokensResponse.self)
        #expect(left.tokens == [])
    }

    @Test func onlyAdminsSeeTokens() async throws {
        let server = try await server()
        let answer = try await server.client("tina").call("GET", "pushTokens")
        #expect(answer.status == 403)
        #expect(try answer.error().code == "adminOnly")
    }

    @Test func repeatedNotificationIsStoredOnce() async throws {
        let server = try await server()
        let tina = try server.client("tina")
        for status in [201, 200, 200] {
            let answer = try await tina.call(
                "POST", "notifications", #"{"id": "n-1", "notification": {}}"#)
            #expect(answer.status == status)
        }
        #expect(try await server.site.sql("SELECT count(*) FROM notifications") == "1")
    }

    @Test func tooManyNotificationsAreRefusedWithRetryAfter() async throws {
        let server = try await server("--max-notifications-per-minute", "2")
        let tina = try server.client("tina")
        for _ in 0..<2 { try await tina.notify(#"{"notification": {}}"#) }
        let now = Int(Date().timeIntervalSince1970)
        try await server.site.sql("UPDATE notifications SET at = \(now * 1000)")
        let answer = try await tina.call("POST", "notifications", #"{"notification": {}}"#)
        #expect(answer.status == 429)
        #expect(try answer.error().code == "tooManyNotifications")
        let seconds = try #require(answer.header("Retry-After").flatMap { Int($0) })
        #expect((1...60).contains(seconds))
        try await server.client("tom").notify(#"{"notification": {}}"#)
    }

    @Test(arguments: [("admins", "adminOnly"), ("nobody", "notificationsOff")])
    func allowedSendersAreSetting(senders: String, code: String) async throws {
        let server = try await server("--notifications", senders)
        let answer = try await server.client("tina").call(
            "POST", "notifications", #"{"notification": {}}"#)
        #expect(answer.status == 403)
        #expect(try answer.error().code == code)
        let dora = try await server.client("dora", on: "office").call(
            "POST", "notifications", #"{"notification": {}}"#)
        #expect(dora.status == (senders == "admins" ? 201 : 403))
    }

    @Test(
        arguments: [
            ("POST", "notifications", "{}", 400, "wrongShape"),
            ("POST", "notifications", #"{"notification": []}"#, 400, "wrongShape"),
            (
                "POST", "notifications", #"{"notification": {}, "device": "mobile"}"#, 400,
                "wrongShape"
            ),
            (
                "POST", "notifications", #"{"notification": {"n": 1e999}}"#, 400,
                "notificationUnrepresentable"
            ),
            (
                "POST", "notifications", #"{"notification": {}, "group": "crew"}"#, 400,
                "groupUnknown"
            ),
            (
                "POST", "notifications", #"{"notification": {}, "deviceCategory": "tv"}"#, 400,
                "deviceCategoryUnknown"
            ),
            (
                "POST", "notifications", #"{"notification": {}, "id": "a b"}"#, 400,
                "notificationIDIllegal"
            ),
            ("PUT", "pushTokens/http", #"{"token": ""}"#, 400, "pushTokenIllegal"),
            ("PUT", "pushTokens/a%20b", #"{"token": "t"}"#, 400, "deviceTypeIllegal"),
            ("PUT", "pushTokens/http", "{}", 400, "wrongShape"),
            ("GET", "pushTokens?limit=0", nil, 400, "limitOutOfRange"),
            ("GET", "pushTokens?cursor=x", nil, 400, "cursorUnreadable"),
            ("GET", "notifications", nil, 405, "methodNotAllowed"),
            ("POST", "live", nil, 405, "methodNotAllowed"),
        ] as [(String, String, String?, Int, String)])
    func badRequestsAreRefusedWithTheirCode(
        method: String, path: String, body: String?, status: Int, code: String
    ) async throws {
        let server = try await server()
        let answer = try await server.client("dora", on: "office").call(method, path, body)
        #expect(answer.status == status, "\(answer.text)")
        #expect(try answer.error().code == code)
    }

    @Test func tooLargeNotificationsAreRefused() async throws {
        let server = try await server()
        let tina = try server.client("tina")
        let text = String(repeating: "x", count: 4096)
        let large = try await tina.call(
            "POST", "notifications", #"{"notification": {"t": "\#(text)"}}"#)
        #expect(large.status == 413)
        #expect(try large.error().code == "notificationTooLarge")
        let users = (0...500).map { "\"\($0)\"" }.joined(separator: ",")
        let many = try await tina.call(
            "POST", "notifications", #"{"users": [\#(users)], "notification": {}}"#)
        #expect(many.status == 413)
        #expect(try many.error().code == "tooManyUsers")
        let huge = String(repeating: " ", count: 300_000)
        let body = try await tina.call("POST", "notifications", "{\(huge)}")
        #expect(body.status == 413)
        #expect(try body.error().code == "bodyTooLarge")
        #expect(try await server.site.sql("SELECT count(*) FROM notifications") == "0")
    }

    @Test(arguments: [
        (["--notifications", "some"], "'notifications' is 'some'"),
        (["--callback-prefixes", "hooks.example"], "'hooks.example' is not a valid prefix"),
        (["--live-beat-seconds", "0"], "'liveBeatSeconds' is 0"),
    ])
    func badSettingIsReported(arguments: [String], words: String) async throws {
        let site = try await Site(prepared: "FieldService")
        let finished = try await Tool.run(
            ["serve", site.definition, "--database", site.database, "--port", "0"] + arguments,
            in: site.folder)
        #expect(finished.exitCode == 2 && finished.errors.contains(words), "\(finished.errors)")
    }

    @Test func oldNotificationsArePurged() async throws {
        let server = try await server()
        try await server.client("tina").notify(#"{"notification": {}}"#)
        let later = try await server.site.waggle("sweep")
        #expect(later.errors.contains("purged notifications: 0\n"))
        let now = try await server.site.waggle("sweep", "--keep-notification-days", "0")
        #expect(now.errors.contains("purged notifications: 1\n"), "\(now.errors)")
    }
}
