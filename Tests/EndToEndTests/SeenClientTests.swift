import Foundation
import JSON
import SyncProtocol
import Testing

/// A server remembers which versions of clients it has served, and dry runs tell what a deployment
/// means for them.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SeenClientTests {
    private static let model = "ConflictsEntity"

    /// With `score` gone and a required `status`.
    private func needy() throws -> String {
        try filmsWithStatus().changing("name=\"score\" type", to: "name=\"mark\" type")
    }

    /// Clients of the deployed version on two devices, one that names an unknown version, and an
    /// original one.
    private func siteWithClients() async throws -> Site {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site)
        let present = try fingerprint(of: definition("Conflicts"))
        for (login, device) in [("a", "phone"), ("b", "tablet")] {
            let session = try await server.signIn(login, device: device)
            let client = Client(server: server, token: session.token).of(version: present)
            for _ in 0..<3 { _ = try await client.sync() }
        }
        _ = try await server.client("a").of(version: String(repeating: "0", count: 64)).sync()
        try await OriginalClient("a", of: server).synchronize()
        #expect(await server.stop() == 0, "what was seen is stored at the end")
        return site
    }

    @Test func versionsAreListedWithDevices() async throws {
        let site = try await siteWithClients()
        let server = try await RunningServer(site: site)
        let viewer = try await server.operatorSession("vera", "viewer")
        let list = try await server.admin("GET", "environments/test/clients", as: viewer)
        guard case .array(let seen) = try parseJSON(Array(list.body)) else {
            throw Unexpected(list.text)
        }
        let present = try fingerprint(of: definition("Conflicts"))
        let rows = seen.compactMap { entry -> String? in
            guard case .object(let members) = entry else { return nil }
            return "\(members["wire"]?.text ?? "") \(members["devices"]?.text ?? "") "
                + (members["fingerprint"] == .string(present) ? "named" : "unnamed")
        }
        #expect(
            Set(rows) == ["\"waggle\" 2 named", "\"waggle\" 1 unnamed", "\"mobeelizer\" 1 named"],
            "\(list.text)")
        let stored = try await site.sql("SELECT * FROM clients")
        #expect(!stored.contains("phone"), "devices are not named")
    }

    /// A guest chooses the identifier of its installation for each request.
    @Test func guestsAreToldApartAsFewDevices() async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(
            site: site, processes: 1, arguments: ["--azure", "--guest", "a"])
        let guest = AzureClient(server)
        func ask(as installation: String, _ headers: [String: String] = [:]) async throws {
            let answer = try await guest.ask(
                "GET", "/tables/\(Self.model)",
                headers: headers.merging(["X-ZUMO-INSTALLATION-ID": installation]) { $1 })
            #expect(answer.status == 200, "\(answer.text)")
        }
        // The first two are the same device of 1,024.
        for installation in ["phone-53", "phone-62", "phone-1"] {
            try await ask(as: installation)
        }
        for device in ["phone-53", "phone-62"] {
            let token = try await server.signIn("b", device: device).token
            try await ask(as: device, ["X-ZUMO-AUTH": token])
        }
        #expect(await server.stop() == 0)
        #expect(try await site.sql("SELECT count(*) FROM clients WHERE wire = 'azure'") == "4")
    }

    /// Before the process has stored what it has seen, and afterwards.
    @Test func sessionsTellWhenDevicesWereSeen() async throws {
        let site = try await siteWithClients()
        // Others learn of it when it is stored.
        let server = try await RunningServer(site: site, processes: 1)
        let keeper = try await server.operatorSession("karl", "keeper")
        func days() async throws -> [String: JSONValue] {
            let path = "environments/test/users/a/sessions"
            let list = try await server.admin("GET", path, as: keeper).json().elements
            return list.reduce(into: [:]) { days, entry in
                days[entry.member("device")?.string ?? ""] = entry.member("lastSeen")
            }
        }
        let laptop = try await server.signIn("a", device: "laptop").token
        let before = try await days()
        guard case .integer(let day) = before["phone"] else { throw Unexpected("\(before)") }
        #expect(day > 0 && day % 86_400_000 == 0)
        #expect(before["laptop"] == .null)
        _ = try await Client(server: server, token: laptop).sync()
        guard case .integer(let next) = try await days()["laptop"] else {
            throw Unexpected("the device was served")
        }
        #expect(next >= day)
    }

    /// By the process that has seen them at once, and by the tool when it is stored.
    @Test func listsTellWhenUsersWereSeen() async throws {
        let site = try await siteWithClients()
        let server = try await RunningServer(site: site, processes: 1)
        let keeper = try await server.operatorSession("karl", "keeper")
        func days() async throws -> [String: JSONValue] {
            let list = try await server.admin("GET", "environments/test/users", as: keeper).json()
            return list.member("entries")?.elements.reduce(into: [:]) { days, entry in
                days[entry.member("login")?.string ?? ""] = entry.member("lastSeen")
            } ?? [:]
        }
        let added = try await site.waggle(
            "user", "add", "c", "--group", "users", "--password-stdin",
            input: PreparedDatabase.password(of: "c") + "\n")
        #expect(added.exitCode == 0, "\(added.errors)")
        guard case .integer(let day) = try await days()["a"] else {
            throw Unexpected("the user was seen")
        }
        #expect(day > 0 && day % 86_400_000 == 0)
        #expect(try await days()["c"] == .null)
        let token = try await server.signIn("c").token
        _ = try await Client(server: server, token: token).sync()
        guard case .integer(let next) = try await days()["c"] else {
            throw Unexpected("the user was served")
        }
        #expect(next >= day)
        #expect(await server.stop() == 0)
        let printed = try await site.waggle("user", "list").output
        #expect(printed.contains(/c +users +no +yes +- +20\d\d-\d\d-\d\d\n/), "\(printed)")
    }

    @Test func dryRunTellsWhatDeploymentMeansForThem() async throws {
        let site = try await siteWithClients()
        let server = try await RunningServer(site: site)
        let designer = try await server.operatorSession("dora", "designer")
        let xml = JSONValue.string(try needy()).text
        let dry = try await server.admin(
            "POST", "environments/test/deployments", "{\"xml\":\(xml),\"dryRun\":true}",
            as: designer)
        #expect(dry.text.contains(#""effect":"mustUpdate""#), "\(dry.text)")
        #expect(dry.text.contains("ConflictsEntity.status"))
        let filled = try await server.admin(
            "POST", "environments/test/deployments",
            "{\"xml\":\(xml),\"dryRun\":true,\"fill\":[{\"model\":\"\(Self.model)\","
                + "\"field\":\"status\",\"value\":\"open\"}]}", as: designer)
        #expect(filled.text.contains(#""effect":"refused""#), "\(filled.text)")
        #expect(filled.text.contains("ConflictsEntity.score"))

        let path = try site.writing(try needy(), to: "next.xml")
        let refused = try await site.waggle("deploy", path)
        #expect(refused.errors.contains("clients of version 1 (waggle, 2 devices, last seen 20"))
        #expect(
            refused.errors.contains(
                "must be updated to create records, because of ConflictsEntity.status"),
            "\(refused.errors)")
        #expect(refused.errors.contains("clients that name no version (waggle, 1 device"))
    }

    /// Clients that name no version have no words of their own.
    @Test func dryRunTellsInWhoseWordsTheyGoOn() async throws {
        let site = try await siteWithClients()
        let added = try site.writing(
            try needy().changing("name=\"mark\" type", to: "name=\"score\" type")
                .changing("type=\"TEXT\" required=\"true\"", to: "type=\"TEXT\""), to: "added.xml")
        let tried = try await site.waggle("deploy", added, "--dry-run")
        let lines = tried.errors.split(separator: "\n").filter { $0.hasPrefix("clients") }
        #expect(lines.count == 3, "\(tried.errors)")
        for line in lines {
            let isNamed = line.hasPrefix("clients of version 1 (")
            #expect(
                line.hasSuffix(
                    isNamed
                        ? "): go on in their own words"
                        : "): go on, in the words of the new version"), "\(line)")
        }
    }
}
