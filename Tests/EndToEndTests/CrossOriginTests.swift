import Foundation
import SyncProtocol
import Testing

/// CORS: which pages may use the server in a browser.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CrossOriginTests {
    private static let app = "https://app.example"

    private func server(_ origins: String?) async throws -> RunningServer {
        try await RunningServer(
            site: try await Site(prepared: "Conflicts"), processes: 1,
            arguments: origins.map { ["--cors-origins", $0] } ?? [])
    }

    private func preflight(
        _ server: RunningServer, from origin: String, path: String = "/v1/test/sync"
    ) async throws -> Answer {
        try await server.request(
            "OPTIONS", path,
            headers: [
                "Origin": origin, "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "authorization, content-type",
            ])
    }

    @Test func noOriginIsAllowedByDefault() async throws {
        let server = try await server(nil)
        let asked = try await preflight(server, from: Self.app)
        #expect(asked.status == 405)
        let answer = try await server.request(
            "GET", "/v1/test/health", headers: ["Origin": Self.app])
        for answer in [asked, answer] {
            let names = answer.headers.keys.map { $0.lowercased() }
            #expect(!names.contains { $0.hasPrefix("access-control") || $0 == "vary" })
        }
    }

    @Test func pageOfAllowedOriginMayAskAndRead() async throws {
        let own = "ionic://localhost"
        let server = try await server("\(Self.app) http://localhost:3000 \(own)")
        for origin in [Self.app, "http://localhost:3000", own] {
            let asked = try await preflight(server, from: origin)
            #expect(asked.status == 204 && asked.body.isEmpty)
            #expect(asked.header("Access-Control-Allow-Origin") == origin)
            #expect(asked.header("Access-Control-Allow-Methods")?.contains("POST") == true)
            let headers = asked.header("Access-Control-Allow-Headers") ?? ""
            for name in ["Authorization", "Content-Type", "Last-Event-ID", "Range"] {
                #expect(headers.contains(name), "\(headers)")
            }
            #expect(asked.header("Access-Control-Max-Age") == "600")
            #expect(asked.header("Vary")?.contains("Origin") == true)
            #expect(asked.header("Access-Control-Allow-Credentials") == nil)

            let token = try server.client("a").token
            let synced = try await server.request(
                "POST", "/v1/test/sync", body: Data("{}".utf8),
                headers: ["Origin": origin, "Authorization": "Bearer \(token)"])
            #expect(synced.status == 200)
            #expect(synced.header("Access-Control-Allow-Origin") == origin)
            #expect(synced.header("Access-Control-Expose-Headers")?.contains("ETag") == true)
            #expect(synced.header("Vary") == "Origin")
        }
    }

    /// A page must be able to read why it was refused.
    @Test func errorsCanBeReadToo() async throws {
        let server = try await server(Self.app)
        for (method, path, status) in [
            ("GET", "/v1/test/conflicts", 401), ("GET", "/nowhere", 404),
            ("DELETE", "/v1/test/sync", 405),
        ] {
            let answer = try await server.request(method, path, headers: ["Origin": Self.app])
            #expect(answer.status == status)
            #expect(answer.header("Access-Control-Allow-Origin") == Self.app, "\(path)")
        }
    }

    @Test(arguments: [
        "https://app.example.evil", "http://app.example", "https://app.example:8443",
        "https://sub.app.example", "null", "",
    ])
    func othersAreNotAllowed(origin: String) async throws {
        let server = try await server(Self.app)
        let asked = try await preflight(server, from: origin)
        #expect(asked.status == 405)
        let answer = try await server.request(
            "GET", "/v1/test/health", headers: ["Origin": origin])
        #expect(answer.status == 200)
        for answer in [asked, answer] {
            #expect(answer.header("Access-Control-Allow-Origin") == nil)
            #expect(answer.header("Vary") == "Origin")
        }
    }

    @Test func everyOriginCanBeAllowed() async throws {
        let server = try await server("*")
        let asked = try await preflight(server, from: "https://anywhere.example")
        #expect(asked.status == 204)
        #expect(asked.header("Access-Control-Allow-Origin") == "*")
        let without = try await server.request("GET", "/v1/test/health")
        #expect(without.header("Access-Control-Allow-Origin") == nil)
    }

    /// Clients of other products send headers of their own, which a server without their wire does
    /// not allow.
    @Test(arguments: [[], ["--azure", "--parse"]])
    func headersOfForeignClientsAreAllowed(wires: [String]) async throws {
        let server = try await RunningServer(
            site: try await Site(prepared: "Conflicts"), processes: 1,
            arguments: ["--cors-origins", Self.app] + wires)
        let asked = try await preflight(server, from: Self.app)
        let headers = asked.header("Access-Control-Allow-Headers") ?? ""
        #expect(headers.contains("Waggle-Definition"), "\(headers)")
        for name in ["X-Parse-Application-Id", "X-Parse-Session-Token", "X-ZUMO-AUTH"] {
            #expect(headers.contains(name) == !wires.isEmpty, "\(headers)")
        }
    }

    /// Such clients send headers of the app's own.
    @Test func askedHeadersOfTablesAreAllowed() async throws {
        let server = try await RunningServer(
            definition: "TodoItem", arguments: "--azure", "--guest", "a", "--cors-origins",
            Self.app)
        let asked = "x-zumo-installation-id, x-of-the-app"
        for (path, isAzure) in [
            ("/tables/todoitem", true), ("/azure/test/tables/todoitem", true),
            ("/.auth/refresh", true), ("/v1/test/sync", false), ("/nowhere", false),
        ] {
            let answer = try await server.request(
                "OPTIONS", path,
                headers: [
                    "Origin": Self.app, "Access-Control-Request-Method": "PATCH",
                    "Access-Control-Request-Headers": asked,
                ])
            #expect(answer.status == 204)
            let allowed = answer.header("Access-Control-Allow-Headers")
            #expect((allowed == asked) == isAzure, "\(path)")
            #expect(answer.header("Access-Control-Max-Age") == (isAzure ? "300" : "600"))
        }
        let other = try await preflight(
            server, from: "https://evil.example", path: "/tables/todoitem")
        #expect(other.header("Access-Control-Allow-Headers") == nil)
    }

    /// As the servers of Azure Mobile did; other pages and other wires are not asked.
    @Test func localPageMayUseTablesIfNoOriginIsSet() async throws {
        let server = try await RunningServer(
            definition: "TodoItem", arguments: "--azure", "--guest", "a")
        let page = "http://localhost:8080"
        let asked = try await preflight(server, from: page, path: "/tables/todoitem")
        #expect(asked.status == 204)
        #expect(asked.header("Access-Control-Allow-Origin") == page)
        #expect(asked.header("Access-Control-Allow-Headers") == "authorization, content-type")
        let answer = try await server.request("GET", "/tables/todoitem", headers: ["Origin": page])
        #expect(answer.header("Access-Control-Allow-Origin") == page)
        for (path, origin) in [
            ("/tables/todoitem", "http://localhost.evil"), ("/v1/test/health", page),
        ] {
            let other = try await server.request("GET", path, headers: ["Origin": origin])
            #expect(other.header("Access-Control-Allow-Origin") == nil, "\(path)")
        }
    }

    @Test(arguments: [
        "app.example", "https://app.example/", "https://a.example *", "null", "ionic://",
    ])
    func whatIsNoOriginIsWrongUsage(text: String) async throws {
        let site = try await Site(prepared: "Conflicts")
        let finished = try await site.waggle("serve", "--port", "0", "--cors-origins", text)
        #expect(finished.exitCode == 2 && finished.errors.contains("is not a list of origins"))
    }
}
