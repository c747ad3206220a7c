import JSON
import Testing

/// Addresses: environments that are not there, and links as the client knows the server.
@Suite(.timeLimit(.minutes(5))) struct AzureAddressTests {
    private static let table = "/tables/todoitem"

    /// Clients take 404 for a row that is gone, and forget what they have to send.
    @Test(arguments: [nil, "2.0.1", "3.0.0"])
    func missingEnvironmentIsNoMissingRow(version: String?) async throws {
        let site = try await Site(prepared: "TodoItem")
        let server = try await RunningServer(site: site, arguments: ["--azure", "--guest", "a"])
        var client = AzureClient(server, version: version, features: "OL")
        client.prefix = "/azure/nothing"
        try await expectUnavailable(client)
        client.prefix = ""
        #expect(try await client.rows(Self.table).isEmpty)
        await server.stop()
        let other = try await site.waggle(
            "deploy", site.definition, "--environment", "other")
        #expect(other.exitCode == 0, "\(other.errors)")
        let both = try await RunningServer(
            site: site, environments: 2, processes: 1, arguments: ["--azure", "--guest", "a"])
        try await expectUnavailable(AzureClient(both, version: version, features: "OL"))
    }

    @Test func settingsNameEnvironmentAndDeviceCategory() async throws {
        let site = try await Site(prepared: "TodoItem")
        let other = try await site.waggle("deploy", site.definition, "--environment", "other")
        #expect(other.exitCode == 0, "\(other.errors)")
        func server(_ arguments: String...) async throws -> RunningServer {
            try await RunningServer(
                site: site, environments: 2, processes: 1,
                arguments: ["--azure", "--guest", "a"] + arguments)
        }
        let named = try await server("--foreign-environment", "test")
        var client = AzureClient(named)
        let row = try await client.row("POST", Self.table, ["text": "t"])
        client.prefix = "/azure/test"
        #expect(try await client.rows(Self.table) == [row])
        await named.stop()
        let lost = try await server("--foreign-environment", "nothing")
        try await expectUnavailable(AzureClient(lost, features: "OL"))
        await lost.stop()
        // The user has no role on such a device.
        let tablet = try await server(
            "--foreign-environment", "test", "--foreign-device-category", "tablet")
        #expect(try await AzureClient(tablet).ask("GET", Self.table).status == 401)
    }

    private func expectUnavailable(_ client: AzureClient) async throws {
        for (method, row) in [
            ("GET", nil), ("PATCH", ["text": "t"]), ("DELETE", nil),
        ] as [(String, [String: JSONValue]?)] {
            let answer = try await client.ask(method, Self.table + "/one", row)
            #expect(answer.status == 503, "\(method) \(answer.text)")
            #expect(answer.header("Retry-After") == "60")
            let body = try answer.row()
            #expect((body["error"] ?? body["title"])?.string != nil)
        }
    }

    /// As proxies tell it, or as the operator has said.
    @Test func linksAreOfAddressThatClientKnows() async throws {
        let site = try await Site(prepared: "TodoItem")
        let plain = try await RunningServer(site: site, arguments: ["--azure", "--guest", "a"])
        // More than a page.
        _ = try await plain.client("a").sync(
            (0..<101).map { _ in .create(fresh(), of: "todo", [:]) }, limit: 1)
        for (headers, start) in [
            ([:], "http://127"), (["X-Forwarded-Proto": "https"], "https://127"),
            (["X-Forwarded-Proto": "HTTPS, http"], "https://127"),
            (["X-Forwarded-Proto": "http"], "http://127"),
            (["Forwarded": "for=192.0.2.1;proto=https"], "https://127"),
            (["Forwarded": #"proto="https", for=10.0.0.1"#], "https://127"),
            (["Forwarded": "for=192.0.2.1;proto=http"], "http://127"),
        ] as [([String: String], String)] {
            try await expectLinks(of: plain, headers, start: start)
        }
        await plain.stop()
        let named = try await RunningServer(
            site: site,
            arguments: ["--azure", "--guest", "a", "--public-address", "https://sync.example"])
        try await expectLinks(of: named, [:], start: "https://sync.example/")
    }

    private func expectLinks(
        of server: RunningServer, _ headers: [String: String], start: String
    ) async throws {
        let third = try await AzureClient.datasync(server).ask(
            "GET", Self.table, headers: headers)
        let link = try third.row()["nextLink"]?.string ?? ""
        #expect(link.hasPrefix(start), "\(link) of \(headers)")
        #expect(link.contains("\(Self.table)?$skip=100"), "\(link)")
        let registered = try await AzureClient(server, version: nil).ask(
            "POST", "/push/registrationids", headers: headers)
        let location = registered.header("Location") ?? ""
        #expect(location.hasPrefix(start), "\(location) of \(headers)")
    }
}
