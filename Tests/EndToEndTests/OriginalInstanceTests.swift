import Foundation
import JSON
import SyncProtocol
import Testing

@Suite("Original clients find the instance that they know")
struct OriginalInstanceTests {
    /// As some servers write it. The clients compare the text.
    private static let instance = "6F3AB0F2-6a5c-4c39-8d43-0a2f3c4b5d6e"

    private struct Authentication: Decodable {
        let instanceGuid: String
    }

    private func instance(for client: OriginalClient) async throws -> String {
        try await client.get("GET", "authenticate").message(as: Authentication.self).instanceGuid
    }

    @Test func newEnvironmentGetsIt() async throws {
        let site = try Site(definition: try definition("Conflicts"))
        let deployed = try await site.waggle(
            "deploy", site.definition, "--instance", Self.instance)
        #expect(deployed.exitCode == 0 && deployed.errors.contains(Self.instance))
        _ = try await site.waggle(
            "user", "add", "a", "--group", "users", "--password-stdin",
            input: PreparedDatabase.password(of: "a") + "\n")
        let server = try await RunningServer(site: site)
        #expect(try await instance(for: OriginalClient("a", of: server)) == Self.instance)
    }

    @Test func unusedEnvironmentGetsInstanceWhileServed() async throws {
        let site = try Site(definition: try definition("Conflicts"))
        _ = try await site.waggle("deploy", site.definition)
        _ = try await site.waggle(
            "user", "add", "a", "--group", "users", "--password-stdin",
            input: PreparedDatabase.password(of: "a") + "\n")
        let server = try await RunningServer(site: site)
        let deployed = try await site.waggle(
            "deploy", site.definition, "--instance", Self.instance)
        #expect(deployed.exitCode == 0, "\(deployed.errors)")
        let client = try OriginalClient("a", of: server)
        #expect(try await instance(for: client) == Self.instance)
        let again = try await site.waggle("deploy", site.definition, "--instance", Self.instance)
        #expect(again.exitCode == 0 && again.errors.contains("already"))
        try await client.synchronize()
    }

    @Test func environmentInUseKeepsItsOwn() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let client = try OriginalClient("a", of: server)
        let present = try await instance(for: client)
        let refused = try await server.site.waggle(
            "deploy", server.site.definition, "--instance", Self.instance)
        #expect(refused.exitCode == 1 && refused.errors.contains(present))
        #expect(refused.errors.contains("leave '--instance' out"))
        let tried = try await server.site.waggle(
            "deploy", server.site.definition, "--instance", Self.instance, "--dry-run")
        #expect(tried.exitCode == 1 && tried.errors == refused.errors)
        #expect(try await instance(for: client) == present)
        try await client.synchronize()
    }

    @Test func illegalInstanceIsWrongUsage() async throws {
        let site = try Site(definition: try definition("Conflicts"))
        let refused = try await site.waggle("deploy", site.definition, "--instance", "mine")
        #expect(refused.exitCode == 2 && refused.errors.contains("'mine' is not a guid"))
    }

    /// As after a change by hand, or in a copy that was given another instance.
    @Test func phoneGoesOnAfterInstanceHasChanged() async throws {
        let first = try await RunningServer(definition: "Conflicts")
        let guid = fresh()
        let line = OriginalLine(
            guid, of: "ConflictsEntity", ["title": "Solaris", "score": "1"])
        try await OriginalClient("a", of: first).synchronize([line])
        await first.stop()
        try await first.site.sql("UPDATE environments SET instance = 'x'")
        let second = try await RunningServer(site: first.site)
        let client = try OriginalClient("a", of: second)
        let answer = try await client.synchronize([line.with { $0.fields["score"] = "2" }])
        #expect(try answer.line(guid)["score"] == "2")
        #expect(try await client.synchronize().lines.isEmpty)
    }
}
