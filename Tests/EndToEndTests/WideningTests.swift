import Foundation
import JSON
import SyncProtocol
import Testing

/// Whole numbers that are stored become decimals, over HTTP.
@Suite(.timeLimit(.minutes(5))) struct WideningTests {
    private static let whole = versionDocument(
        "Film", ["title TEXT required", "score INTEGER", "code INTEGER unique"])
    private static let decimal = versionDocument(
        "Film", ["title TEXT required", "mark<score DECIMAL", "code DECIMAL unique"])

    private func deploy(_ text: String, to site: Site) async throws -> String {
        let file = try site.writing(text, to: "\(fresh()).xml")
        let deployed = try await site.deployAcceptingAll(file)
        #expect(deployed.exitCode == 0, "\(deployed.errors)")
        return file
    }

    /// A site with a record that has a history and a conflict, and what a client has seen of it.
    private func filled(_ guid: String) async throws -> (site: Site, cursor: String) {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(
            site: site.serving(try await deploy(Self.whole, to: site)))
        let version = try fingerprint(of: Self.whole)
        let (a, b) = (
            try server.client("a").of(version: version),
            try server.client("b").of(version: version)
        )
        try await a.push(
            .create(guid, of: "Film", ["title": "Alien", "score": 3, "code": 1]))
        try await a.push(.update(guid, of: "Film", from: 1, ["score": 4]))
        let late = try await b.push(.update(guid, of: "Film", from: 1, ["score": 5]))
        #expect(late.outcome == .conflicted)
        let cursor = try await a.everythingSeen()
        #expect(await server.stop() == 0)
        return (site, cursor)
    }

    @Test func storedNumbersBecomeDecimals() async throws {
        let guid = fresh()
        let (site, cursor) = try await filled(guid)
        let next = try await deploy(Self.decimal, to: site)
        let server = try await RunningServer(site: site.serving(next))
        let old = try server.client("a").of(version: try fingerprint(of: Self.whole))
        let now = try server.client("b").of(version: try fingerprint(of: Self.decimal))
        let record = try await now.record(guid)
        #expect(record.fields == ["title": "Alien", "mark": "4", "code": "1"])
        let conflict = try #require(record.conflicts?.first)
        #expect(conflict.mine.fields == ["mark": "5"] && conflict.theirs.fields == ["mark": "4"])
        let history = try await now.history(of: guid, in: "Film")
        #expect(history.contains { $0.before?["mark"] == "3" })
        let pulled = try await old.sync(cursor: cursor)
        #expect(!pulled.resync && pulled.records.isEmpty, "nothing differs in its own words")
        let present = try await old.record(guid)
        #expect(present.fields == ["title": "Alien", "score": 4, "code": 1])
        let taken = try await now.push(
            .create(fresh(), of: "Film", ["title": "Aliens", "code": "1.0"]))
        #expect(taken.causes?.map(\.code) == ["notUnique"], "\(taken)")
        let resolved = try await now.push(
            .resolve(guid, of: "Film", from: record.revision, ["mark": "4.5"]))
        #expect(resolved.outcome == .accepted, "\(resolved)")
        let found = try await now.find("Film", ["filter": #"{"eq":["code",1]}"#])
        #expect(found.records.map(\.guid) == [guid])
        let read = try await old.record(guid)
        #expect(read.fields == ["title": "Alien", "score": .null, "code": 1])
    }

    @Test func wayBackIsRefused() async throws {
        let (site, _) = try await filled(fresh())
        _ = try await deploy(Self.decimal, to: site)
        let back = try site.writing(Self.whole, to: "back.xml")
        let refused = try await site.deployAcceptingAll(back)
        #expect(refused.exitCode == 1 && refused.errors.contains("DECIMAL"), "\(refused.errors)")
    }
}
