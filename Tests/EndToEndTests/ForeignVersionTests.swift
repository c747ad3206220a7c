import Foundation
import JSON
import Testing

/// A kind of change, in three versions: N-2, N-1 and N.
struct ForeignCase: Sendable, CustomStringConvertible {
    let description: String
    let versions: [(model: String, fields: [String])]
    /// The model and the field of the title in each version.
    let words: [(model: String, title: String)]
    /// The rules for values of the deployment of each version.
    var fills: [[String]] = [[], [], []]
    /// The fields of new objects beside the title, in each version.
    var given: [[String: JSONValue]] = [[:], [:], [:]]
    /// The answers to values for one field by clients of each version: the first cause with its
    /// field, or nil if it is accepted.
    var written: [(version: Int, field: String, value: JSONValue, cause: String?)] = []

    /// The deployed version when the first objects are made: no type of stored values changes.
    var firstObjectsAt = 0

    /// The names of the fields in a version.
    func fields(_ version: Int) -> Set<String> {
        Set(versions[version].fields.map { String($0.prefix { $0 != " " && $0 != "<" }) })
    }
}

/// Clients of Azure and Parse that were released with earlier versions, over HTTP.
@Suite(.timeLimit(.minutes(8))) struct ForeignVersionTests {
    private static let arguments = ["--azure", "--parse", "--guest", "a"]

    private func site(of example: ForeignCase) async throws -> Site {
        let first = versionDocument(example.versions[0].model, example.versions[0].fields)
        let site = try Site(definition: first)
        #expect(try await site.waggle("deploy", site.definition).exitCode == 0)
        let added = try await site.waggle(
            "user", "add", "a", "--group", "users", "--password-stdin",
            input: PreparedDatabase.password(of: "a") + "\n")
        #expect(added.exitCode == 0, "\(added.errors)")
        return site
    }

    private func deploy(_ version: Int, of example: ForeignCase, to site: Site) async throws {
        let (model, fields) = example.versions[version]
        let path = try site.writing(versionDocument(model, fields), to: "\(version).xml")
        var accepted: [String] = []
        for _ in 0..<2 {
            let deployed = try await Tool.run(
                ["deploy", path, "--database", site.database] + example.fills[version] + accepted,
                in: site.folder)
            if deployed.exitCode == 0 { return }
            accepted = deployed.errors.matches(of: /--accept '([^']+)'/)
                .flatMap { ["--accept", String($0.1)] }
            #expect(!accepted.isEmpty, "\(deployed.errors)")
        }
    }

    private func clients(_ example: ForeignCase, _ server: RunningServer) -> [[ForeignClient]] {
        example.words.enumerated().map { number, words in
            ForeignWire.allCases.map {
                ForeignClient($0, server, version: "@\(number + 1)", model: words.model)
            }
        }
    }

    /// Each version makes objects while it is the deployed one, and goes on under all later ones.
    @Test(arguments: cases) func clientsOfEveryVersionGoOn(example: ForeignCase) async throws {
        let site = try await site(of: example)
        let server = try await RunningServer(
            site: site, environments: 1, arguments: Self.arguments)
        let clients = clients(example, server)
        var ids: [String] = []
        func create(_ version: Int, _ label: String) async throws {
            for client in clients[version] {
                let title = [example.words[version].title: JSONValue.string(label)]
                ids.append(
                    try await client.create(title.merging(example.given[version]) { $1 }))
            }
        }
        var deployed = 0
        for version in 0..<3 {
            while deployed < max(version, example.firstObjectsAt) {
                deployed += 1
                try await deploy(deployed, of: example, to: site)
            }
            try await create(version, "by \(version)")
        }
        try await create(0, "late")
        try await create(1, "late")
        for (version, title) in example.words.map(\.title).enumerated() {
            for client in clients[version] {
                let note = "\(example), version \(version), \(client.wire)"
                try await check(client, title, example.fields(version), ids, note)
                let edited = try await client.change(ids[version], [title: "new"])
                #expect(edited.status == 200, "\(note): \(edited.text)")
                #expect(try await client.fields(ids[version])[title] == "new")
                _ = try await client.change(ids[version], [title: .string("by \(version / 2)")])
            }
        }
        try await checkWritten(example, clients, ids[0])
        for (number, client) in clients.joined().enumerated() {
            #expect(try await client.remove(ids[number]).status < 300)
            let rest = try await client.find(nil, order: example.words[number / 2].title)
            #expect(!rest.compactMap(client.id).contains(ids[number]))
        }
    }

    /// Both wires find their objects by the way that all deployments make, each in its place.
    @Test func clientsGoOnAfterSecondReturn() async throws {
        let first = versionDocument("Note", [title, "score INTEGER"])
        let second = versionDocument("Memo<Note", ["heading<title TEXT required", "score INTEGER"])
        let third = versionDocument("Note", [title, "points<score INTEGER"])
        let site = try await site(
            of: ForeignCase(
                description: "", versions: [("Note", [title, "score INTEGER"])], words: []))
        let server = try await RunningServer(
            site: site, environments: 1, arguments: Self.arguments)
        func deploy(_ text: String) async throws {
            let path = try site.writing(text, to: "\(fresh()).xml")
            let deployed = try await site.deployAcceptingAll(path)
            #expect(deployed.exitCode == 0, "\(deployed.errors)")
        }
        try await deploy(second)
        let clients = ForeignWire.allCases.map {
            ForeignClient($0, server, version: "@2", model: "Memo")
        }
        var ids: [String] = []
        for client in clients { ids.append(try await client.create(["heading": "h"])) }
        for (number, text) in [first, third, first].enumerated() {
            try await deploy(text)
            for (client, id) in zip(clients, ids) {
                let label = JSONValue.string(number == 0 ? "h" : "h\(number)")
                #expect(try await client.fields(id)["heading"] == label, "\(client.wire)")
                let edited = try await client.change(
                    id, ["heading": .string("h\(number + 1)")])
                #expect(edited.status == 200, "\(client.wire): \(edited.text)")
            }
        }
    }

    /// Reads and finds as a client.
    private func check(
        _ client: ForeignClient, _ title: String, _ names: Set<String>, _ ids: [String],
        _ note: String
    ) async throws {
        for (number, id) in ids.enumerated() {
            let fields = try await client.fields(id)
            let label = number < 6 ? "by \(number / 2)" : "late"
            #expect(fields[title] == .string(label), "\(note): \(fields)")
            let all = Set(fields.keys)
            #expect(client.wire == .azure ? all == names : all.isSubset(of: names), "\(note)")
        }
        let sorted = try await client.find(nil, order: title, descending: true, fields: [title])
        #expect(sorted.compactMap(client.id).count == ids.count, "\(note)")
        #expect(sorted.first?[title] == "late" && sorted.last?[title] == "by 0", "\(note)")
        #expect(sorted.allSatisfy { Set($0.own.keys) == [title] }, "\(note): \(sorted)")
        let found = try await client.find((title, "by 1"), order: title)
        #expect(Set(found.compactMap(client.id)) == Set(ids[2...3]), "\(note): \(found)")
    }

    private func checkWritten(
        _ example: ForeignCase, _ clients: [[ForeignClient]], _ id: String
    ) async throws {
        for (version, field, value, cause) in example.written {
            for client in clients[version] {
                let answer = try await client.change(id, [field: value])
                #expect(
                    try answer.causes().first == cause,
                    "\(example), \(client.wire): \(answer.text)")
                #expect((answer.status == 200) == (cause == nil), "\(answer.text)")
            }
        }
    }
}

private let title = "title TEXT required"

private let cases = [
    ForeignCase(
        description: "a model is renamed",
        versions: [
            ("ConflictsEntity", [title]), ("Film<ConflictsEntity", [title]),
            ("Movie<Film", [title]),
        ],
        words: [("ConflictsEntity", "title"), ("Film", "title"), ("Movie", "title")]),
    ForeignCase(
        description: "a field is renamed",
        versions: [
            ("Film", [title]), ("Film", ["name<title TEXT required"]),
            ("Film", ["label<name TEXT required maxLength=9"]),
        ],
        words: [("Film", "title"), ("Film", "name"), ("Film", "label")],
        written: [
            (0, "title", "far too long", "tooLong title"),
            (1, "name", "far too long", "tooLong name"),
        ]),
    ForeignCase(
        description: "a field is new",
        versions: [
            ("Film", [title]), ("Film", [title, "note TEXT"]),
            ("Film", [title, "note TEXT", "place TEXT default=there"]),
        ],
        words: [("Film", "title"), ("Film", "title"), ("Film", "title")],
        given: [[:], ["note": "n"], ["note": "n"]]),
    ForeignCase(
        description: "a field is gone",
        versions: [
            ("Film", [title, "score INTEGER", "note TEXT"]), ("Film", [title, "note TEXT"]),
            ("Film", [title]),
        ],
        words: [("Film", "title"), ("Film", "title"), ("Film", "title")],
        written: [
            (0, "score", 3, "fieldNotServed score"), (0, "note", "n", "fieldNotServed note"),
            (1, "note", "n", "fieldNotServed note"), (0, "score", .null, nil),
        ]),
    ForeignCase(
        description: "a new field is required",
        versions: [
            ("Film", [title]), ("Film", [title, "code TEXT required"]),
            ("Film", [title, "code TEXT required", "kind TEXT required"]),
        ],
        words: [("Film", "title"), ("Film", "title"), ("Film", "title")],
        fills: [[], ["--fill", "Film.code=c"], ["--fill", "Film.kind=k"]],
        given: [[:], ["code": "own"], ["code": "own", "kind": "own"]]),
    ForeignCase(
        description: "a type is wider",
        versions: [
            ("Film", [title, "score INTEGER"]), ("Film", [title, "score DECIMAL"]),
            ("Film", [title, "mark<score DECIMAL"]),
        ],
        words: [("Film", "title"), ("Film", "title"), ("Film", "title")],
        given: [["score": 3], ["score": 3], ["mark": 3]],
        written: [(0, "score", 4, nil), (1, "score", 3, nil)], firstObjectsAt: 1),
    ForeignCase(
        description: "a limit is narrower",
        versions: [
            ("Film", ["title TEXT required maxLength=20"]),
            ("Film", ["title TEXT required maxLength=10"]),
            ("Film", ["name<title TEXT required maxLength=5"]),
        ],
        words: [("Film", "title"), ("Film", "title"), ("Film", "name")],
        written: [
            (0, "title", "longer", "tooLong title"), (1, "title", "longer", "tooLong title"),
        ]),
]
