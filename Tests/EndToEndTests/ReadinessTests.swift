import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

/// `GET /ready` tells a load balancer whether to send requests here, apart from `GET /health`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ReadinessTests {
    @Test func serverIsReadyWhenItServesWhatIsDeployed() async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site)
        let ready = try await server.request("GET", "/ready")
        #expect(ready.status == 200 && ready.text == #"{"status":"ready"}"#)

        // A definition that a later version of the tool deployed.
        try await site.sql(
            """
            INSERT INTO versions (environment, digest, fingerprint, source, deployed_at,
                deployed_after)
            SELECT environment, 'x', 'x', source, 0, 0 FROM versions ORDER BY id DESC LIMIT 1;
            UPDATE environments SET version = (SELECT max(id) FROM versions);
            """)
        let unready = try await server.request("GET", "/ready")
        #expect(unready.status == 503 && unready.header("Retry-After") == "1")
        #expect(try unready.error().code == "environmentsNotReady")
        #expect(try await server.request("GET", "/health").status == 200)
        #expect(!unready.text.contains("test"), "anybody may ask")

        try await site.sql(
            "UPDATE environments SET version = (SELECT min(id) FROM versions);")
        #expect(try await server.request("GET", "/ready").status == 200)
    }

    @Test(.enabled(if: hasIPv6, "this machine has no IPv6"))
    func addressOfIPv6IsThatOfURL() async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await ServerProcess(site: site, arguments: ["--host", "::1"])
        #expect(server.banner.hasPrefix("listening on http://[::1]:\(server.port)\n"))
        server.send(SIGTERM)
        #expect(await server.exitCode() == 0)
    }

    /// The health check of packages and images.
    @Test func healthScriptAsksPortOfSettings() async throws {
        let server = try await RunningServer(
            site: try await Site(prepared: "Conflicts"), processes: 1)
        for (arguments, port, exitCode) in [
            ([], "\(server.port)", 0), (["127.0.0.1", "\(server.port)"], "1", 0), ([], "1", 1),
        ] as [([String], String, Int32)] {
            let finished = try await Program(
                path: "/usr/bin/env",
                arguments: [
                    "bash", repositoryPath("Sources/CommandLineTool/Package/healthy"),
                ] + arguments,
                environment: ["WAGGLE_PORT": port], folder: server.site.folder
            ).run()
            #expect(finished.exitCode == exitCode, "\(finished.errors)")
        }
    }

    @Test func deploymentLeavesServerReady() async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site)
        let wider = try site.writing(
            try definition("Conflicts").changing(#""maxValue">5<"#, to: #""maxValue">10<"#),
            to: "wider.xml")
        #expect(try await site.deployAcceptingAll(wider).exitCode == 0)
        let digest = try await site.waggle("environment", "show", "test").output
            .firstMatch(of: /digest +(\w+)/).map { String($0.1) }
        for _ in 0..<(2 * Backend.servers) {
            let health = try await server.request("GET", "/v1/test/health")
            #expect(try health.message(as: HealthMessage.self).digest == digest)
            #expect(try await server.request("GET", "/ready").status == 200)
        }
    }

    @Test func serverThatIsToStopServesOnAndIsNotReady() async throws {
        let server = try await RunningServer(
            definition: "Conflicts", processes: 1, arguments: "--stop-delay-seconds", "3600")
        let a = try server.client("a")
        #expect(try await server.request("GET", "/ready").status == 200)
        server.send(SIGTERM)
        var answer = try await server.request("GET", "/ready")
        while answer.status == 200 { answer = try await server.request("GET", "/ready") }
        #expect(answer.status == 503)
        #expect(try answer.error().code == "stopping")
        let pushed = try await a.push(
            .create(fresh(), of: "ConflictsEntity", ["title": "Alien"]))
        #expect(pushed.outcome == .accepted)
        #expect(try await server.request("GET", "/health").status == 200)
        await server.crash()
    }
}

private let hasIPv6 = FileManager.default.fileExists(atPath: "/proc/net/if_inet6")
