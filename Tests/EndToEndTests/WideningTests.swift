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

    @Test func storedNumbersBecomeDecimals() async throws {
        let site = try await Site(prepared: "Conflicts")
        let first = try await deploy(Self.whole, to: site)
        let guids = [fresh(), fresh()]
        var server = try await RunningServer(site: site.serving(first))
        let old = try server.client("a").of(version: try fingerprint(of: Self.whole))
        try await old.push(
            .create(guids[0], of: "Film", ["title": "Alien", "score": 3, "code": 1]))
        try await old.push(.update(guids[0], of: "Film", from: 1, ["score": 4]))
        let other = try server.client("b").of(version: try fingerprint(of: Self.whole))
        let late = try await other.push(.update(guids[0], of: "Film", from: 1, ["score": 5]))
        #expect(late.outcome == .conflicted)
        let cursor = try await old.everythingSeen()
        #expect(await server.stop() == 0)

        let second = try await deploy(Self.decimal, to: site)
        server = try await RunningServer(site: site.serving(second))
        let after = try server.client("a").of(version: try fingerprint(of: Self.whole))
        let now = try server.client("b").of(version: try fingerprint(of: Self.decimal))
        let record = try await now.record(guids[0])
        #expect(record.fields == ["title": "Alien", "mark": "4", "code": "1"])
        let conflict = try #require(record.conflicts?.first)
        #expect(conflict.mine.fields == ["mark": "5"] && conflict.theirs.fields == ["mark": "4"])
        let history = try await now.history(of: guids[0], in: "Film")
        #expect(history.contains { $0.before?["mark"] == "3" })
        let pulled = try await after.sync(cursor: cursor)
        #expect(!pulled.resync)
        #expect(
            pulled.records.map(\.fields) == [["title": "Alien", "score": 4, "code": 1]],
            "in the words of its version")
        let taken = try await now.push(
            .create(guids[1], of: "Film", ["title": "Aliens", "code": "1.0"]))
        #expect(taken.causes?.map(\.code) == ["notUnique"], "\(taken)")
        let resolved = try await now.push(
            .resolve(guids[0], of: "Film", from: record.revision, ["mark": "4.5"]))
        #expect(resolved.outcome == .accepted, "\(resolved)")
        let found = try await now.find("Film", ["filter": #"{"eq":["code",1]}"#])
        #expect(found.records.map(\.guid) == [guids[0]])
        let read = try await after.record(guids[0])
        #expect(read.fields == ["title": "Alien", "score": .null, "code": 1])
        #expect(await server.stop() == 0)

        let back = try site.writing(Self.whole, to: "back.xml")
        let refused = try await site.deployAcceptingAll(back)
        #expect(refused.exitCode == 1 && refused.errors.contains("DECIMAL"), "\(refused.errors)")
    }
}
