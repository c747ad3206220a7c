import Foundation
import JSON
import Monitoring
import SyncProtocol
import SyncServer
import TestKit
import Testing

/// `GET /metrics` of a real server, on a port of its own.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ServerMetricsTests {
    private static let arguments = ["--metrics-port", "0"]

    @Test func whatServerDoesIsCounted() async throws {
        let server = try await RunningServer(
            site: try await Site(prepared: "Conflicts"), processes: 1, arguments: Self.arguments)
        let (a, b) = (try server.client("a"), try server.client("b"))
        let guid = fresh()
        try await a.push(.create(guid, of: "ConflictsEntity", ["title": "Alien"]))
        try await a.push(.update(guid, of: "ConflictsEntity", from: 1, ["score": 2]))
        try await b.push(.update(guid, of: "ConflictsEntity", from: 1, ["score": 3]))
        try await b.push(.update(guid, of: "ConflictsEntity", from: 2, ["score": 9]))
        _ = try await server.askToSignIn("a", password: "wrong")
        for path in ["/nowhere/1", "/nowhere/2", "/wp-admin"] {
            _ = try await server.request("GET", path)
        }
        _ = try await server.request("GET", "/health")
        let text = try await server.metrics()
        for line in [
            #"waggle_requests_total{route="/v1/{environment}/sync",method="POST",status="2xx"} 4"#,
            #"waggle_requests_total{route="none",method="GET",status="4xx"} 3"#,
            #"waggle_requests_total{route="/health",method="GET",status="2xx"} 1"#,
            // As long as there was no error, so that the first ones are an increase.
            #"waggle_requests_total{route="/v1/{environment}/sync",method="POST",status="4xx"} 0"#,
            #"waggle_requests_total{route="/v1/{environment}/sync",method="POST",status="5xx"} 0"#,
            #"waggle_requests_total{route="none",method="GET",status="5xx"} 0"#,
            #"waggle_request_seconds_count{route="/v1/{environment}/sync",method="POST"} 4"#,
            #"waggle_errors_total{code="pathUnknown"} 3"#,
            #"waggle_errors_total{code="wrongCredentials"} 1"#,
            #"waggle_changes_total{outcome="accepted"} 2"#,
            #"waggle_changes_total{outcome="conflicted"} 1"#,
            #"waggle_changes_total{outcome="refused"} 1"#,
            #"waggle_open_conflicts{environment="test"} 1"#,
            "waggle_commit_seconds_count 4", "waggle_database_up 1", "waggle_waiting_pushes 0",
            "waggle_live_streams 0", "waggle_failed_backups_total 0",
        ] {
            #expect(text.contains("\n\(line)\n"), "\(line) is not in \(text)")
        }
        for metric in ServerMetric.all where metric.name != ServerMetric.lastBackup.name {
            #expect(text.contains("# TYPE \(metric.name) \(metric.kind.rawValue)\n"))
        }
        let without = "a server without backups would be late with the next"
        #expect(!text.contains(ServerMetric.lastBackup.name), "\(without)")
        #expect(!text.contains("nowhere"), "paths would be labels without bounds")
    }

    /// Some of the pushes are decided before the server knows that their clients send no more.
    @Test func clientsThatHaveGoneAreNoFailuresOfTheServer() async throws {
        let server = try await RunningServer(
            site: try await Site(prepared: "Conflicts"), processes: 1, arguments: Self.arguments)
        let a = try server.client("a")
        let title = JSONValue.string(String(repeating: "a", count: 200))
        for number in 0..<20 {
            let connection = try RawConnection(port: server.port)
            connection.send(
                try a.wireRequest(
                    SyncRequest(
                        changes: (0..<100).map { _ in
                            .create(fresh(), of: "ConflictsEntity", ["title": title])
                        })))
            if number.isMultiple(of: 2) {
                connection.close()
                continue
            }
            connection.closeOwnSide()
            let answer = await connection.receiveAll()
            #expect(
                answer.hasPrefix("HTTP/1.1 200 ")
                    || answer.hasPrefix("HTTP/1.1 408 ") && answer.contains(#""cancelled""#),
                "\(answer.prefix(300))")
        }
        _ = try await server.request("GET", "/health")
        let text = try await server.metrics()
        #expect(!text.contains(/status="5xx"\} [1-9]/), "\(text)")
        #expect(!text.contains(#"code="internal""#))
        #expect(try !server.log().contains("request failed"))
    }

    @Test func connectionsBytesAndStreamsAreMeasured() async throws {
        let server = try await RunningServer(
            site: try await Site(prepared: "Conflicts"), processes: 1, arguments: Self.arguments)
        let live = try await LiveConnection(server.client("a"))
        let connection = try RawConnection(port: server.port)
        connection.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = await connection.receive(until: "\"ok\"}")
        let text = try await server.metrics()
        #expect(text.contains("\nwaggle_live_streams 1\n"))
        #expect(try value(of: "waggle_connections", in: text) >= 2)
        #expect(try value(of: "waggle_received_bytes_total", in: text) > 100)
        #expect(try value(of: "waggle_sent_bytes_total", in: text) > 100)
        #expect(try value(of: "process_resident_memory_bytes", in: text) > 1_000_000)
        #expect(try value(of: "waggle_free_disk_bytes", in: text) > 0)
        live.close()
        connection.close()
        var open = 2.0
        while open > 0 {
            open = try value(of: "waggle_live_streams", in: try await server.metrics())
        }
    }

    /// The page of a first sync is cached when it is asked for the second time.
    @Test func pagesFromCacheAreCounted() async throws {
        let server = try await RunningServer(
            site: try await Site(prepared: "Conflicts"), processes: 1, arguments: Self.arguments)
        let a = try server.client("a")
        _ = try await a.sync(
            (0..<6).map {
                .create(fresh(), of: "ConflictsEntity", ["title": .string("film \($0)")])
            })
        for _ in 0..<4 { _ = try await a.sync(limit: 2) }
        let text = try await server.metrics()
        #expect(try value(of: "waggle_cached_pages_total", in: text) >= 1)
        #expect(try value(of: "waggle_uncached_pages_total", in: text) >= 2)
        #expect(try value(of: "waggle_page_read_seconds_count", in: text) >= 2)
    }

    @Test(.enabled(if: hasPromtool, "needs Prometheus' promtool: see 'make test-https'"))
    func alertsFireWhenTheyAreTo() async throws {
        let folder = try TemporaryFolder()
        let tested = try await Program(
            path: "/usr/bin/promtool",
            arguments: ["test", "rules", repositoryPath("Tests/Operations/alerts.yml")],
            folder: folder
        ).run()
        #expect(tested.exitCode == 0, "\(tested.output) \(tested.errors)")
    }

    @Test(.enabled(if: hasPromtool, "needs Prometheus' promtool: see 'make test-https'"))
    func prometheusReadsText() async throws {
        let server = try await RunningServer(
            site: try await Site(prepared: "Conflicts"), processes: 1, arguments: Self.arguments)
        _ = try await server.client("a").sync()
        let checked = try await Program(
            path: "/usr/bin/promtool", arguments: ["check", "metrics"],
            input: try await server.metrics(), folder: server.site.folder
        ).run()
        #expect(checked.exitCode == 0 && checked.output == "", "\(checked.errors)")
    }

    @Test func nothingIsServedUnlessItIsAskedFor() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        #expect(try await server.request("GET", "/metrics").status == 404)
        #expect(await server.stop() == 0)
        #expect(!(try server.log().contains("serving metrics")))
    }

    @Test func takenPortIsReported() async throws {
        let site = try await Site(prepared: "Conflicts")
        let taken = try await RunningServer(definition: "Conflicts", processes: 1)
        let finished = try await site.waggle(
            "serve", site.definition, "--port", "0", "--metrics-port", "\(taken.port)")
        #expect(finished.exitCode == 3)
        #expect(finished.errors.contains("port \(taken.port): address already in use"))
    }

    /// Before anything is opened or made.
    @Test func takenPortIsFoundBeforeDatabaseIsMade() async throws {
        let site = try Site(definition: definition("Conflicts"))
        let taken = try await RunningServer(definition: "Conflicts", processes: 1)
        let path = site.folder.path("new.sqlite")
        let finished = try await site.keeping(in: path).waggle(
            "serve", site.definition, "--port", "0", "--metrics-port", "\(taken.port)")
        #expect(finished.exitCode == 3, "\(finished.errors)")
        #expect(finished.errors.contains("port \(taken.port): address already in use"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// Nothing listens there, and no database is made.
    @Test(arguments: ["127.0.0.1", "localhost", "0.0.0.0", "::"])
    func onePortForRequestsAndMetricsIsRefused(host: String) async throws {
        let site = try Site(definition: definition("Conflicts"))
        let path = site.folder.path("new.sqlite")
        let finished = try await site.keeping(in: path).waggle(
            "serve", site.definition, "--port", "9464", "--metrics-port", "9464",
            "--metrics-host", host)
        #expect(finished.exitCode == 2, "\(finished.errors)")
        #expect(finished.errors.contains("requests and metrics cannot both have the port 9464"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    private func value(of name: String, in text: String) throws -> Double {
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(name) ") })
        return try #require(Double(line.dropFirst(name.count + 1)))
    }
}

private let hasPromtool = FileManager.default.isExecutableFile(atPath: "/usr/bin/promtool")

extension RunningServer {
    /// The metrics of its only process, which says in its log where it serves them.
    func metrics() async throws -> String {
        var port: String?
        while port == nil {
            port = try log().firstMatch(of: /"message":"serving metrics","port":"(\d+)"/)
                .map { String($0.1) }
            await Task.yield()
        }
        let connection = try RawConnection(port: try #require(port.flatMap { Int($0) }))
        connection.send("GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let head = await connection.receive(until: "\r\n\r\n")
        #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(head)")
        #expect(head.contains("text/plain; version=0.0.4; charset=utf-8"), "\(head)")
        return await connection.receiveAll()
    }
}
