import Foundation
import JSON
import SyncProtocol
import Testing

/// Rights are those of the deployed version, whatever that of the client granted.
@Suite(.timeLimit(.minutes(5))) struct ForeignRightsTests {
    private static let open = versionDocument("Film", ["title TEXT required", "secret TEXT"])

    /// A server with the open version, and with one that grants less.
    private func served(
        _ next: String
    ) async throws -> (RunningServer, deployNext: () async throws -> Void) {
        let site = try await Site(prepared: "Conflicts")
        func deploy(_ text: String, _ name: String) async throws {
            let deployed = try await site.deployAcceptingAll(try site.writing(text, to: name))
            #expect(deployed.exitCode == 0, "\(deployed.errors)")
        }
        try await deploy(Self.open, "open.xml")
        let server = try await RunningServer(
            site: site, environments: 1, arguments: ["--azure", "--parse", "--guest", "a"])
        return (server, { try await deploy(next, "next.xml") })
    }

    private func client(_ wire: ForeignWire, _ server: RunningServer) -> ForeignClient {
        ForeignClient(wire, server, version: "@2", model: "Film")
    }

    @Test(arguments: ForeignWire.allCases)
    func hiddenValueStaysHidden(wire: ForeignWire) async throws {
        let hidden = versionDocument(
            "Movie<Film", ["title TEXT required", "hush<secret TEXT hidden"])
        let (server, deployNext) = try await served(hidden)
        let client = client(wire, server)
        let ids = [
            try await client.create(["title": "a", "secret": "y"]),
            try await client.create(["title": "b", "secret": "x"]),
        ]
        let isX = ("secret", JSONValue.string("x"))
        #expect(try await client.find(isX, order: "title").compactMap(client.id) == [ids[1]])
        try await deployNext()
        for id in ids {
            let fields = try await client.fields(id)
            #expect(fields["title"] != nil && fields["secret"] ?? .null == .null, "\(fields)")
        }
        #expect(try await client.find(isX, order: "title") == [])
        let empty = try await client.find(("secret", .null), order: "title")
        #expect(empty.compactMap(client.id) == ids)
        let (up, down) = (
            try await client.find(nil, order: "secret").compactMap(client.id),
            try await client.find(nil, order: "secret", descending: true).compactMap(client.id)
        )
        #expect(up == down && Set(up) == Set(ids), "the order tells nothing")
        let written = try await client.change(ids[0], ["secret": "z"])
        #expect(
            try written.causes() == ["noCredentialsToPerformOperationOnField secret"],
            "\(written.text)")
    }

    @Test(arguments: ForeignWire.allCases)
    func recordsOfOthersStayHidden(wire: ForeignWire) async throws {
        let own = try Self.open.changing(
            #"readAllowed="ALL" updateAllowed="ALL" deleteAllowed"#,
            to: #"readAllowed="OWN" updateAllowed="OWN" deleteAllowed"#)
        let (server, deployNext) = try await served(own)
        let client = client(wire, server)
        let guid = fresh()
        let other = try server.client("b")
        try await other.push(.create(guid, of: "Film", ["title": "of b", "secret": "x"]))
        let mine = try await client.create(["title": "of a", "secret": "x"])
        #expect(try await client.find(nil, order: "title").count == 2)
        try await deployNext()
        let found = try await client.find(("secret", "x"), order: "title")
        #expect(found.compactMap(client.id) == [mine], "\(found)")
        let all = try await client.find(nil, order: "title")
        #expect(all.compactMap(client.id) == [mine], "\(all)")
        #expect(try await client.change(guid, ["title": "x"]).status >= 400)
        #expect(try await other.record(guid).fields == ["title": "of b", "secret": "x"])
    }
}
