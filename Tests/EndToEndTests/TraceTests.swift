import Foundation
import JSON
import Synchronization
import TestKit
import Testing

/// Traces that a real server sends to a collector.
@Suite(.timeLimit(.minutes(5))) struct TraceTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    @Test func requestsAndTheirWorkAreTraced() async throws {
        let (bodies, sending) = AsyncStream.makeStream(of: Data.self)
        let collector = try ScriptedServer { request in
            sending.yield(request.body)
            return .bytes(ScriptedServer.answer("200 OK", body: "{}"))
        }
        let server = try await RunningServer(
            definition: "Conflicts", processes: 1,
            arguments: "--trace-collector", "http://127.0.0.1:\(collector.port)/v1/traces")
        let client = try server.client("a")
        try await client.push(.create(fresh(), of: "ConflictsEntity", ["title": "Alien"]))
        _ = try await server.request(
            "GET", "/v1/test/health?secret=x",
            headers: ["traceparent": "00-\(Self.trace)-00f067aa0ba902b7-01"])
        #expect(await server.stop() == 0)
        sending.finish()
        var spans: [Span] = []
        for await body in bodies { spans += try Span.all(in: body) }
        let health = try #require(spans.first { $0.name == "GET /v1/{environment}/health" })
        #expect(health.trace == Self.trace)
        #expect(health.parent == "00f067aa0ba902b7")
        #expect(health.text.contains(#""http.response.status_code","value":{"intValue":"200"}"#))
        let push = try #require(spans.first { $0.name == "POST /v1/{environment}/sync" })
        #expect(push.parent == nil)
        #expect(spans.contains { $0.name == "commit" && $0.parent == push.id })
        let all = spans.map(\.text).joined()
        #expect(!all.contains("secret") && !all.contains("Alien"))
        #expect(try server.log().contains(#""trace":"\#(push.trace)""#))
    }

    @Test func failingCollectorDisturbsNobody() async throws {
        let collector = try ScriptedServer { _ in
            .bytes(ScriptedServer.answer("503 Service Unavailable"))
        }
        let server = try await RunningServer(
            definition: "Conflicts", processes: 1,
            arguments: "--trace-collector", "http://127.0.0.1:\(collector.port)/v1/traces")
        let client = try server.client("a")
        try await client.push(.create(fresh(), of: "ConflictsEntity", ["title": "Alien"]))
        #expect(await server.stop() == 0)
        let log = try server.log()
        #expect(log.contains("the collector does not take traces"))
        #expect(log.contains("it answers 503"))
    }

    @Test(arguments: ["127.0.0.1:4318", "ftp://x/y", "http://"])
    func addressOfCollectorIsChecked(url: String) async throws {
        let site = try await Site(prepared: "Conflicts")
        let result = try await site.waggle(
            "serve", "--database", site.database, "--port", "0", "--trace-collector", url)
        #expect(result.exitCode == 2)
        #expect(result.errors.contains("'\(url)' is not the address of a collector"))
    }
}

private struct Span {
    let name: String
    let trace: String
    let id: String
    let parent: String?
    let text: String

    static func all(in body: Data) throws -> [Span] {
        let resources = try parseJSON(Array(body)).member("resourceSpans")?.elements ?? []
        let scopes = resources.flatMap { $0.member("scopeSpans")?.elements ?? [] }
        return try scopes.flatMap { try ($0.member("spans")?.elements ?? []).map(Span.init) }
    }

    private init(_ json: JSONValue) throws {
        name = try #require(json.member("name")?.string)
        trace = try #require(json.member("traceId")?.string)
        id = try #require(json.member("spanId")?.string)
        parent = json.member("parentSpanId")?.string
        var writer = JSONWriter()
        writer.value(json)
        text = writer.text
    }
}
