import Administration
import Foundation
import JSON
import SyncProtocol
import Testing

/// Passwords, tokens and codes, push tokens too, and the stored hashes of passwords, are in no
/// answer but the one that makes them, in no line of the log and in no export.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SecretCanaryTests {
    /// The path with names of things that exist, where the test made any.
    private func path(of route: AdminRoute, _ guid: String) -> String {
        route.path.split(separator: "/").map { part in
            switch part {
            case ":environment": "test"
            case ":version": "1"
            case ":login": "a"
            case ":model": "ConflictsEntity"
            case ":guid": guid
            case ":diagnostic": "defaultBreaksLimit"
            default: part.hasPrefix(":") ? "none" : String(part)
            }
        }.joined(separator: "/")
    }

    /// The texts of new secrets, with the credentials of a designer.
    private func secrets(
        of server: RunningServer
    ) async throws -> (texts: [String], designer: AdminCredentials) {
        let designer = try await server.operatorSession("dora", "designer")
        let token = try await server.adminToken("viewer", as: designer)
        var texts = ["password of dora", PreparedDatabase.password(of: "a")]
        texts.append(try await server.signIn("a", device: "tablet").token)
        let pushToken = "apns canary of a"
        let put = try await server.client("a").call(
            "PUT", "pushTokens/apns", #"{"token":"\#(pushToken)"}"#)
        #expect(put.status == 200, "\(put.text)")
        texts.append(pushToken)
        for path in ["environments/test/invitations", "environments/test/users/a/reset"] {
            let body = path.hasSuffix("invitations") ? #"{"group":"users"}"# : nil
            let made = try await server.admin("POST", path, body, as: designer)
            guard case .string(let code) = try made.member("code") else {
                throw Unexpected(made.text)
            }
            texts.append(code)
        }
        for header in [designer.headers["Cookie"], token.secret.headers["Authorization"]] {
            let parts = (header ?? "").split { $0 == "=" || $0 == " " }
            texts.append(String(try #require(parts.last)))
        }
        for table in ["users", "operators"] {
            let hashes = try await server.site.sql("SELECT password_hash FROM \(table)")
            texts += hashes.split(separator: "\n").map(String.init)
        }
        return (texts, designer)
    }

    @Test func secretsAreNowhereElse() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let guid = fresh()
        try await server.client("a").push(
            .create(guid, of: "ConflictsEntity", ["title": "Alien"]))
        let (secrets, designer) = try await secrets(of: server)
        #expect(secrets.count == 11 && secrets.allSatisfy { $0.count > 10 }, "\(secrets)")
        func check(_ text: String, of place: String) {
            for (number, secret) in secrets.enumerated() {
                #expect(!text.contains(secret), "secret \(number) is in \(place)")
            }
        }
        var answered = 0
        for route in AdminRoute.all where route.method == .get && route.answer != .events {
            let path = path(of: route, guid)
            let answer = try await server.admin("GET", path, as: designer)
            answered += answer.status == 200 ? 1 : 0
            check(answer.text, of: path)
        }
        #expect(answered > 20)
        let commands = [
            ["export"], ["export", "--user", "a"], ["activity"], ["user", "list"],
            ["user", "codes"], ["operator", "list"],
        ]
        for command in commands {
            let finished = try await Tool.run(
                command + ["--database", server.site.database], in: server.folder)
            #expect(finished.exitCode == 0 && !finished.output.isEmpty, "\(command)")
            check(finished.output + finished.errors, of: "\(command)")
        }
        check(try server.log(), of: "the log")
    }
}
