import Foundation
import JSON
import SyncProtocol
import Testing

/// Clients that were built with other versions than the served one, over HTTP.
@Suite(.timeLimit(.minutes(5))) struct ClientVersionTests {
    /// In the order of their deployment. The last one is imported only.
    private static let versions = [
        versionDocument("ConflictsEntity", ["title TEXT required", "score INTEGER"]),
        versionDocument(
            "Film<ConflictsEntity", ["name<title TEXT required", "stars<score INTEGER"]),
        versionDocument("Film", ["name TEXT required", "stars INTEGER", "note TEXT"]),
        versionDocument("Film", ["name TEXT required", "note TEXT", "place TEXT default=there"]),
        versionDocument(
            "Movie<Film",
            ["title<name TEXT required", "remark<note TEXT", "place TEXT default=there"]),
    ]

    /// The words of each version: the model, the title, and another field.
    private static let words = [
        ("ConflictsEntity", "title", "score"), ("Film", "name", "stars"), ("Film", "name", "note"),
        ("Film", "name", "note"), ("Movie", "title", "remark"),
    ]

    /// The second but last version is served.
    private func served() async throws -> (server: RunningServer, fingerprints: [String]) {
        let site = try await Site(prepared: "Conflicts")
        var last = ""
        for (number, text) in Self.versions.dropLast().enumerated() {
            last = try site.writing(text, to: "\(number).xml")
            let deployed = try await site.deployAcceptingAll(last)
            #expect(deployed.exitCode == 0, "\(deployed.errors)")
        }
        let next = try site.writing(try #require(Self.versions.last), to: "next.xml")
        let imported = try await site.waggle("versions", "import", next)
        #expect(imported.exitCode == 0, "\(imported.errors)")
        return (
            try await RunningServer(site: site.serving(last)),
            try Self.versions.map(fingerprint)
        )
    }

    @Test func answerNamesItsWords() async throws {
        let (server, fingerprints) = try await served()
        let current = try #require(fingerprints.dropLast().last)
        let unknown = String(repeating: "0", count: 64)
        for version in fingerprints + [unknown, "no fingerprint"] {
            let client = try server.client("a").of(version: version)
            let expected = fingerprints.contains(version) ? version : current
            for answer in [
                try await client.ask(SyncRequest()), try await client.call("GET", "conflicts"),
            ] {
                #expect(answer.status == 200 && answer.header("Waggle-Definition") == expected)
            }
            let other = try await client.call("GET", "sessions")
            #expect(other.status == 200 && other.header("Waggle-Definition") == nil)
        }
        let silent = try await server.client("a").ask(SyncRequest())
        #expect(silent.header("Waggle-Definition") == nil)
    }

    @Test func clientsOfEveryVersionGoOnTogether() async throws {
        let (server, fingerprints) = try await served()
        let guids = fingerprints.map { _ in fresh() }
        for (number, fingerprint) in fingerprints.enumerated() {
            let (model, title, _) = Self.words[number]
            let client = try server.client("a").of(version: fingerprint)
            let outcome = try await client.push(
                .create(guids[number], of: model, [title: .string("by \(number)")]))
            #expect(outcome.outcome == .accepted, "\(number): \(outcome)")
            #expect(outcome.model == model)
        }
        for (number, fingerprint) in fingerprints.enumerated() {
            let (model, title, _) = Self.words[number]
            let client = try server.client("b").of(version: fingerprint)
            let records = try await client.records()
            #expect(Set(records.map(\.guid)) == Set(guids), "version \(number)")
            #expect(records.allSatisfy { $0.model == model })
            let titles = records.compactMap { $0.fields?[title] }
            #expect(
                titles.allSatisfy { title in
                    number > 0
                        ? title == .string("by \(number - 1) again")
                        : guids.indices.contains { title == .string("by \($0)") }
                })
            for guid in guids {
                let fields = [title: JSONValue.string("by \(number) again")]
                let update = ChangeMessage.update(
                    guid, of: model, from: Int64(number + 1), fields)
                #expect(try await client.push(update).outcome == .accepted)
            }
        }
    }

    /// The rename is told by a version long ago, and by no later one.
    @Test func clientIsFollowedOverManyVersions() async throws {
        let site = try await Site(prepared: "Conflicts")
        let first = try definition("Conflicts")
        let renamed = versionDocument(
            "Film<ConflictsEntity", ["name<title TEXT required", "score INTEGER"])
        let later = (1...70).map { number in
            versionDocument(
                "Film", ["name TEXT required", "score INTEGER", "extra\(number) INTEGER"])
        }
        var last = ""
        for (number, text) in ([renamed] + later).enumerated() {
            last = try site.writing(text, to: "\(number).xml")
            let deployed = try await site.deployAcceptingAll(last)
            #expect(deployed.exitCode == 0, "\(deployed.errors)")
        }
        let server = try await RunningServer(site: site.serving(last), processes: 1)
        let old = try server.client("a").of(version: try fingerprint(of: first))
        let guid = fresh()
        let outcome = try await old.push(
            .create(guid, of: "ConflictsEntity", ["title": "Alien"]))
        #expect(outcome.outcome == .accepted, "\(outcome)")
        let now = try await server.client("a").record(guid)
        #expect(now.model == "Film" && now.fields?["name"] == "Alien", "\(now)")
    }

    /// Fields that a client does not know stay as they are, and do not reach it.
    @Test func fieldsThatClientDoesNotKnowAreKept() async throws {
        let (server, fingerprints) = try await served()
        let guid = fresh()
        let now = try server.client("a").of(version: fingerprints[3])
        try await now.push(.create(guid, of: "Film", ["name": "Alien", "note": "n"]))
        let old = try server.client("b").of(version: fingerprints[1])
        let seen = try await old.record(guid)
        #expect(seen.fields == ["name": "Alien", "stars": .null])
        let renamed = try await old.push(.update(guid, of: "Film", from: 1, ["name": "Aliens"]))
        #expect(renamed.outcome == .accepted)
        #expect(
            try await now.record(guid).fields
                == ["name": "Aliens", "note": "n", "place": "there"])
        let history = try await old.history(of: guid, in: "Film")
        #expect(history.first?.before == ["name": "Alien"])
    }

    /// The server of a second version, and a client of the first one.
    private func served(
        _ first: [String], then second: [String]
    ) async throws -> (server: RunningServer, old: Client) {
        let site = try await Site(prepared: "Conflicts")
        var path = ""
        let texts = [first, second].map { versionDocument("ConflictsEntity", $0) }
        for (number, text) in texts.enumerated() {
            path = try site.writing(text, to: "\(number).xml")
            let deployed = try await site.deployAcceptingAll(path)
            #expect(deployed.exitCode == 0, "\(deployed.errors)")
        }
        let server = try await RunningServer(site: site.serving(path))
        let old = try server.client("a").of(version: try fingerprint(of: texts[0]))
        return (server, old)
    }

    /// Generated models send the default of every field in new records.
    @Test func defaultOfFieldThatIsGoneSaysNothingInNewRecord() async throws {
        let (_, old) = try await served(
            ["title TEXT required", "score INTEGER required default=3"],
            then: ["title TEXT required"])
        let (model, guid) = ("ConflictsEntity", fresh())
        let made = try await old.push(.create(guid, of: model, ["title": "Alien", "score": 3]))
        #expect(made.outcome == .accepted, "\(made)")
        #expect(try await old.record(guid).fields == ["title": "Alien", "score": 3])
        for change: ChangeMessage in [
            .create(fresh(), of: model, ["title": "Alien", "score": 4]),
            .update(guid, of: model, from: 1, ["score": 3]),
        ] {
            let outcome = try await old.push(change)
            #expect(outcome.causes?.map(\.code) == ["fieldNotServed"], "\(outcome)")
        }
    }

    @Test func requiredFieldOfClientIsNeverNull() async throws {
        let (server, old) = try await served(
            ["title TEXT required", "score INTEGER required"],
            then: ["title TEXT", "score DECIMAL"])
        let now = try server.client("b")
        let model = "ConflictsEntity"
        for fields: [String: JSONValue] in [[:], ["score": "7.5"], ["score": .null]] {
            let guid = fresh()
            #expect(try await now.push(.create(guid, of: model, fields)).outcome == .accepted)
            #expect(try await old.record(guid).fields == ["title": "", "score": 0])
        }
        let found = try await old.find(model, ["filter": #"{"null": "score"}"#])
        #expect(found.records.count == 2, "a query sees null")
    }

    /// The outcome names what the client wrote, and a repeat has the same one.
    @Test func valueOfFieldThatIsGoneIsRefusedByName() async throws {
        let (server, fingerprints) = try await served()
        let guid = fresh()
        let old = try server.client("a").of(version: fingerprints[0])
        let model = "ConflictsEntity"
        try await old.push(.create(guid, of: model, ["title": "Alien"]))
        let change = ChangeMessage.update(guid, of: model, from: 1, ["score": 3, "title": "x"])
        for _ in 0..<2 {
            let outcome = try await old.push(change)
            #expect(outcome.outcome == .refused && outcome.model == model)
            #expect(outcome.causes?.map(\.code) == ["fieldNotServed"])
            #expect(outcome.causes?.first?.field == "score")
        }
        let emptied = ChangeMessage.update(guid, of: model, from: 1, ["title": .null])
        #expect(try await old.push(emptied).causes?.map(\.field) == ["title"])
        let junk = try await old.push(.update(guid, of: model, from: 1, ["note": "n"]))
        #expect(junk.causes?.map(\.code) == ["unknownField"], "it does not know that field")
        let other = try await old.push(.create(fresh(), of: "Film", ["name": "Alien"]))
        #expect(other.causes?.map(\.code) == ["unknownModel"], "nor that model")
    }

    @Test func conflictsFindsAndResolutionsAreInWordsOfClient() async throws {
        let (server, fingerprints) = try await served()
        let guid = fresh()
        let now = try server.client("a").of(version: fingerprints[3])
        try await now.push(.create(guid, of: "Film", ["name": "Alien"]))
        try await now.push(.update(guid, of: "Film", from: 1, ["name": "Aliens", "note": "n"]))
        let (old, model) = (
            try server.client("b").of(version: fingerprints[0]), "ConflictsEntity"
        )
        let late = try await old.push(.update(guid, of: model, from: 1, ["title": "Alien 3"]))
        #expect(late.outcome == .conflicted)
        let conflict = try #require(try await old.record(guid).conflicts?.first)
        #expect(conflict.mine.fields == ["title": "Alien 3"])
        #expect(conflict.theirs.fields == ["title": "Aliens"])
        let found = try await old.find(
            model, ["filter": #"{"eq":["title","Aliens"]}"#])
        #expect(found.records.map(\.guid) == [guid] && found.records[0].model == model)
        #expect(found.records[0].fields == ["title": "Aliens", "score": .null])
        let hidden = try await old.ask(
            forRecords: model, ["filter": #"{"eq":["note","n"]}"#])
        #expect(hidden.status == 400, "a field that the client does not know finds nothing")
        let resolved = try await old.push(
            .resolve(guid, of: model, from: 3, ["title": "Alien 3"]))
        #expect(resolved.outcome == .accepted)
        #expect(
            try await now.record(guid).fields
                == ["name": "Alien 3", "note": "n", "place": "there"])
    }

    /// An update of the app brings the records whose fields it did not know, and no others.
    @Test func updatedClientGetsWhatItDidNotKnow() async throws {
        let (server, fingerprints) = try await served()
        let guid = fresh()
        let writer = try server.client("a").of(version: fingerprints[3])
        try await writer.push(.create(guid, of: "Film", ["name": "Alien", "note": "n"]))
        let reader = try server.client("b")
        let before = try await reader.of(version: fingerprints[1]).everythingSeen()
        let same = try await reader.of(version: fingerprints[1]).sync(cursor: before)
        #expect(same.records.isEmpty && !same.resync)
        let updated = try await reader.of(version: fingerprints[3]).sync(cursor: before)
        #expect(!updated.resync && updated.records.map(\.guid) == [guid])
        #expect(updated.records[0].fields?["note"] == "n")
        // The words of a newer version say the same of the same fields.
        let next = try await reader.of(version: fingerprints[4]).sync(cursor: updated.cursor)
        #expect(!next.resync && next.records.isEmpty)
    }

    /// Such a client is answered as before it told its version.
    @Test(arguments: [String(repeating: "0", count: 64), "x", ""])
    func clientOfUnknownVersionGetsWordsOfServedOne(fingerprint: String) async throws {
        let (server, _) = try await served()
        let guid = fresh()
        let client = try server.client("a").of(version: fingerprint)
        try await client.push(.create(guid, of: "Film", ["name": "Alien"]))
        #expect(
            try await client.record(guid).fields
                == ["name": "Alien", "note": .null, "place": "there"])
    }
}
