import Foundation
import JSON
import Testing

/// How an operator says which version clients of Azure and Parse speak, and what they find.
@Suite(.timeLimit(.minutes(5))) struct ForeignAddressTests {
    private static let versions = versions(score: "INTEGER")

    /// - Parameter type: The type of the score in the second version, an `INTEGER` in the first.
    private static func versions(score type: String) -> [String] {
        let renamed = [
            "name<title TEXT required", "score \(type)", "house<cinema BELONGS_TO model=House",
        ]
        return [
            versionDocument([
                (
                    "Film",
                    ["title TEXT required", "score INTEGER", "cinema BELONGS_TO model=Cinema"]
                ),
                ("Cinema", ["name TEXT"]), ("Poster", ["text TEXT"]),
            ]),
            versionDocument([("Movie<Film", renamed), ("House<Cinema", ["label<name TEXT"])]),
            versionDocument([
                ("Movie", ["name TEXT required", "house BELONGS_TO model=House"]),
                ("House", ["label TEXT"]),
            ]),
        ]
    }

    /// The first `count` versions are deployed, tagged `v1` and so on.
    private func site(
        _ count: Int = 3, of versions: [String] = versions
    ) async throws -> Site {
        let site = try await Site(prepared: "Conflicts")
        // The versions of the prepared site are of the same application.
        for (number, text) in versions.prefix(count).enumerated() {
            let path = try site.writing(text, to: "\(number).xml")
            let deployed = try await site.deployAcceptingAll(path)
            #expect(deployed.exitCode == 0, "\(deployed.errors)")
            let tagged = try await site.waggle(
                "versions", "tag", "\(number + 2)", "v\(number + 1)")
            #expect(tagged.exitCode == 0, "\(tagged.errors)")
        }
        return site
    }

    private func server(_ site: Site, _ arguments: [String] = []) async throws -> RunningServer {
        try await RunningServer(
            site: site, environments: 1,
            arguments: ["--azure", "--parse", "--guest", "a"] + arguments)
    }

    @Test(arguments: ForeignWire.allCases)
    func versionIsNumberOrTagOfApplication(wire: ForeignWire) async throws {
        let server = try await server(try await site())
        for (version, model) in [
            ("@v1", "Film"), ("@2", "Film"), ("@v2", "Movie"), ("@v3", "Movie"), ("", "Movie"),
        ] {
            let client = ForeignClient(wire, server, version: version, model: model)
            #expect(try await client.find(nil, order: "createdAt") == [], "\(version)")
        }
        for version in ["@", "@9", "@0", "@x", "@v1@v1", "@v1%00"] {
            let client = ForeignClient(wire, server, version: version, model: "Film")
            let answer = try await client.creation(["title": "Alien"])
            // No client takes this for a row that is not there.
            #expect(answer.status == 503, "\(version): \(answer.text)")
            #expect(answer.text.contains("there is no version"), "\(version): \(answer.text)")
        }
    }

    /// A guest has no session that would tell of a deployment.
    @Test(arguments: ForeignWire.allCases)
    func guestKnowsNewModelAtOnce(wire: ForeignWire) async throws {
        let site = try await site(1)
        let server = try await server(site)
        let old = ForeignClient(wire, server, version: "", model: "Film")
        _ = try await old.create(["title": "Alien"])
        let deployed = try await site.deployAcceptingAll(
            try site.writing(Self.versions[1], to: "next.xml"))
        #expect(deployed.exitCode == 0, "\(deployed.errors)")
        let new = ForeignClient(wire, server, version: "", model: "Movie")
        let answer = try await new.creation(["name": "Solaris"])
        #expect(answer.status == 201, "\(answer.text)")
    }

    @Test func settingsSpeakForAppsWithoutVersion() async throws {
        let site = try await site()
        let server = try await server(
            site,
            [
                "--azure-version", "v1", "--parse-version", "2",
                "--parse-applications", "f3Kq9=test@v3 old=test",
            ])
        for wire in ForeignWire.allCases {
            let old = ForeignClient(wire, server, version: "", model: "Film")
            let id = try await old.create(["title": "Alien"])
            let new = ForeignClient(wire, server, version: "@v3", model: "Movie")
            #expect(try await new.fields(id)["name"] == "Alien", "its own version counts")
        }
        var parse = ParseClient(server)
        for (application, model) in [("f3Kq9", "Movie"), ("old", "Film")] {
            parse.application = application
            #expect(try await parse.find(model).count == 2, "\(application)")
        }
        let root = AzureClient(server)
        #expect(try await root.rows("/tables/Film").count == 2)
    }

    @Test(arguments: [
        ("x", "'x' in 'parseApplications' names no environment"),
        ("x=", "'x='"), ("x=a b", "'b'"), ("x=te.st", "'x=te.st'"), ("x=test@", "'x=test@'"),
        ("x=test x=test", "'parseApplications' has the application id 'x' twice"),
    ])
    func applicationsAreChecked(text: String, words: String) async throws {
        let site = try await Site(prepared: "Conflicts")
        let served = try await site.waggle(
            "serve", "--port", "0", "--parse", "--parse-applications", text)
        #expect(served.exitCode == 2, "\(served.errors)")
        #expect(served.errors.contains("error: \(words)"), "\(served.errors)")
    }

    /// A whole number is read of a decimal, and a filter means what the client reads.
    @Test(arguments: ForeignWire.allCases)
    func valuesOfFiltersAreThoseOfClient(wire: ForeignWire) async throws {
        let server = try await server(
            try await site(2, of: Self.versions(score: "DECIMAL")))
        let old = ForeignClient(wire, server, version: "@v1", model: "Film")
        let new = ForeignClient(wire, server, version: "@v2", model: "Movie")
        let (whole, half) = (
            try await old.create(["title": "a", "score": 7]),
            try await new.create(["name": "b", "score": .decimal("7.5")])
        )
        #expect(try await new.fields(whole)["score"] == 7)
        #expect(try await old.fields(whole)["score"] == 7)
        #expect(try await old.fields(half)["score"] ?? .null == .null)
        let found = try await old.find(("score", 7), order: "score")
        #expect(found.compactMap(old.id) == [whole])
        // The half stays as it is in what the client does not change.
        #expect(try await old.change(half, ["title": "c"]).status == 200)
        #expect(try await new.fields(half)["score"] == .decimal("7.5"))
    }

    /// Fields that are gone are null, also in conditions and orders; models have no rows.
    @Test(arguments: ForeignWire.allCases)
    func whatIsGoneIsReadAsNothing(wire: ForeignWire) async throws {
        let server = try await server(try await site())
        let old = ForeignClient(wire, server, version: "@v1", model: "Film")
        let id = try await old.create(["title": "Alien"])
        #expect(try await old.find(("score", 3), order: "score") == [])
        #expect(try await old.find(("score", .null), order: "score").compactMap(old.id) == [id])
        let poster = ForeignClient(wire, server, version: "@v1", model: "Poster")
        #expect(try await poster.find(("text", "x"), order: "text") == [])
        let refused = try await poster.creation(["text": "x"])
        #expect(try refused.causes() == ["modelNotServed -"], "\(refused.text)")
        let junk = ForeignClient(wire, server, version: "@v1", model: "Junk")
        #expect(try await junk.creation([:]).status >= 400)
    }

    /// Relations to renamed models, with ids of before: they are in all words the same.
    @Test(arguments: ForeignWire.allCases)
    func relationsAreFollowed(wire: ForeignWire) async throws {
        let site = try await site(1)
        let server = try await server(site)
        let cinemas = ForeignClient(wire, server, version: "@v1", model: "Cinema")
        let old = ForeignClient(wire, server, version: "@v1", model: "Film")
        let cinema = try await cinemas.create(["name": "Odeon"])
        func reference(_ model: String) -> JSONValue {
            wire == .azure ? .string(cinema) : .pointer(model, cinema)
        }
        let film = try await old.create(["title": "Alien", "cinema": reference("Cinema")])
        for (number, text) in Self.versions.enumerated().dropFirst() {
            let deployed = try await site.deployAcceptingAll(
                try site.writing(text, to: "\(number).xml"))
            #expect(deployed.exitCode == 0, "\(deployed.errors)")
            let new = ForeignClient(wire, server, version: "@\(number + 2)", model: "Movie")
            #expect(try await new.fields(film)["house"] == reference("House"))
            #expect(try await old.fields(film)["cinema"] == reference("Cinema"))
            for (client, name, model) in [(new, "house", "House"), (old, "cinema", "Cinema")] {
                let found = try await client.find((name, reference(model)), order: "createdAt")
                #expect(found.compactMap(client.id).contains(film), "\(number): \(name)")
            }
            let next = try await old.create(["title": "b", "cinema": reference("Cinema")])
            #expect(try await new.fields(next)["house"] == reference("House"))
        }
        guard wire == .parse else { return }
        let included = try await old.parse.find("Film", ["include": "cinema", "limit": 1])
        #expect(included.first?["cinema"]?.member("name") == "Odeon", "\(included)")
    }

    /// A client pulls on while definitions change, and gets what others change meanwhile.
    @Test(arguments: AzurePull.Kind.allCases)
    func pullGoesOnOverDeployments(kind: AzurePull.Kind) async throws {
        let site = try await site(1)
        let server = try await server(site)
        var pull = AzurePull(kind, server, path: "/azure/test@v1/tables/Film")
        let old = ForeignClient(.azure, server, version: "@v1", model: "Film")
        let first = try await old.create(["title": "first", "score": 1])
        try await pull.pull()
        #expect(pull.rows[first]?["title"] == "first")
        for (number, text) in Self.versions.enumerated().dropFirst() {
            let deployed = try await site.deployAcceptingAll(
                try site.writing(text, to: "\(number).xml"))
            #expect(deployed.exitCode == 0, "\(deployed.errors)")
            let new = ForeignClient(.azure, server, version: "@\(number + 2)", model: "Movie")
            let made = try await new.create(["name": "new"])
            #expect(try await new.change(first, ["name": .string("at \(number)")]).status == 200)
            try await pull.pull()
            #expect(pull.rows[made]?["title"] == "new")
            #expect(pull.rows[first]?["title"] == .string("at \(number)"))
            #expect(try await new.remove(made).status == 204)
            try await pull.pull()
            #expect(pull.rows[made] == nil && pull.rows.count == 1)
        }
    }

    /// A client of the Toolkit leaves out the values that it removes: those that it knows.
    @Test func toolkitRemovesValuesOfItsVersion() async throws {
        let site = try await site(1)
        let server = try await server(site)
        let fields = ["name<title TEXT required", "points<score INTEGER", "note TEXT"]
        let path = try site.writing(versionDocument([("Movie<Film", fields)]), to: "next.xml")
        let deployed = try await site.deployAcceptingAll(path)
        #expect(deployed.exitCode == 0, "\(deployed.errors)")
        let new = AzureClient.toolkit(server)
        var old = new
        old.prefix = "/azure/test@v1"
        _ = try await new.row(
            "POST", "/tables/Movie", ["id": "one", "name": "Alien", "points": 3, "note": "n"])
        let removed = try await old.row(
            "PUT", "/tables/Film/one", ["id": "one", "title": "Aliens"])
        #expect(removed["title"] == "Aliens" && removed["score"] == nil)
        let row = try await new.row("GET", "/tables/Movie/one")
        #expect(row["name"] == "Aliens" && row["points"] == nil && row["note"] == "n")
        let emptied = try await new.row(
            "PUT", "/tables/Movie/one", ["id": "one", "name": "Aliens"])
        #expect(emptied["note"] == nil)
    }

    /// A field that later versions add is no news to a client that does not know it.
    @Test func pullHasNoRowsForNewFields() async throws {
        let site = try await site(1)
        let server = try await server(site)
        var pull = AzurePull(.datasync, server, path: "/azure/test@v1/tables/Film")
        let old = ForeignClient(.azure, server, version: "@v1", model: "Film")
        _ = try await old.create(["title": "Alien", "score": 1])
        var fields = ["title TEXT required", "score INTEGER", "cinema BELONGS_TO model=Cinema"]
        let others = [("Cinema", ["name TEXT"]), ("Poster", ["text TEXT"])]
        for name in ["note", "place"] {
            try await pull.pull()
            fields.append("\(name) TEXT")
            let next = versionDocument([("Film", fields)] + others)
            let path = try site.writing(next, to: "\(name).xml")
            let deployed = try await site.deployAcceptingAll(path)
            #expect(deployed.exitCode == 0, "\(deployed.errors)")
        }
        try await pull.pull()
        #expect(pull.received == 1)
    }

    /// A dry run says what the next deployment means for each version that was seen.
    @Test func versionsOfClientsAreSeen() async throws {
        let site = try await site(1)
        let server = try await server(site)
        for (wire, version) in [
            (ForeignWire.azure, "@v1"), (.parse, "@v1"), (.parse, "@2"), (.azure, ""),
        ] {
            let client = ForeignClient(wire, server, version: version, model: "Film")
            _ = try await client.find(nil, order: "title")
        }
        #expect(await server.stop() == 0)
        let next = try site.writing(Self.versions[1], to: "next.xml")
        let tried = try await site.waggle("deploy", next, "--dry-run")
        let lines = tried.errors.split(separator: "\n").filter { $0.hasPrefix("clients") }.map {
            String($0.replacing(/, last seen [0-9-]+/, with: ""))
        }
        let means = "go on, and what they send of Poster is refused"
        #expect(
            Set(lines) == [
                "clients of version 2 (azure, 1 device): \(means)",
                "clients of version 2 (parse, 1 device): \(means)",
                "clients that name no version (azure, 1 device): go on, and what they send of "
                    + "Film, Cinema, Poster is refused",
            ], "\(tried.errors)")
    }
}
