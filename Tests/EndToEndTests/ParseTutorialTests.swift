import Foundation
import JSON
import Testing

/// The sync engine of a well-known tutorial, with the faults that it has: it stores what it knows
/// of a class by object id, and asks by the time of the newest change that it has seen.
private struct TutorialEngine {
    let client: ParseClient
    /// By object id.
    private(set) var objects: [String: [String: JSONValue]] = [:]
    private var newest: String?

    init(_ client: ParseClient) { self.client = client }

    /// Asks for what is as new as the end of the second of the newest change, so that it misses
    /// what changed in the rest of that second; and takes for deleted what a list of the class
    /// does not have, which it asks for without a limit.
    mutating func pull() async throws {
        var parameters: [String: JSONValue] = [:]
        if let newest {
            let bound = newest.dropLast(4) + "999Z"
            parameters["where"] = .object([
                "updatedAt": .object([
                    "$gte": .object(["__type": "Date", "iso": .string(String(bound))])
                ])
            ])
        }
        for object in try await client.find("Occasion", parameters) {
            let id = try #require(object["objectId"]?.string)
            objects[id] = object
            newest = max(newest ?? "", object["updatedAt"]?.string ?? "")
        }
        let there = Set(try await client.find("Occasion").compactMap { $0["objectId"]?.string })
        objects = objects.filter { there.contains($0.key) }
    }

    mutating func create(_ kind: String, _ name: String, picture: String) async throws -> String {
        let file = try await client.get(
            "POST", "/files/picture.png",
            [
                "base64": .string(Data(picture.utf8).base64EncodedString())
            ])
        let day = JSONValue.object(["__type": "Date", "iso": "2026-12-24T00:00:00.000Z"])
        let id = try await client.create(
            "Occasion",
            [
                "kind": .string(kind), "name": .string(name), "date": day,
                "picture": .object(["__type": "File", "name": file["name"] ?? .null]),
            ])
        objects[id] = try await client.get("GET", "/classes/Occasion/\(id)")
        return id
    }

    /// Takes the answer to a second deletion for a failure.
    mutating func delete(_ id: String) async throws -> Bool {
        objects[id] = nil
        return try await client.ask("DELETE", "/classes/Occasion/\(id)").status == 200
    }

    func picture(of id: String) async throws -> String {
        let file = try #require(objects[id]?["picture"]?.members)
        let path = try #require(
            file["url"]?.string.flatMap { URLComponents(string: $0)?.percentEncodedPath })
        return try await client.server.request("GET", path).text
    }
}

@Suite("The app of a tutorial for Parse works unchanged")
struct ParseTutorialTests {
    private func engine(
        _ server: RunningServer, _ installation: String, of login: String = "a"
    ) async throws -> TutorialEngine {
        TutorialEngine(
            try await ParseClient.signedIn(
                login, to: server, manner: .body, installation: installation))
    }

    private func server(_ arguments: String...) async throws -> RunningServer {
        try await RunningServer(
            site: try await Site(prepared: "Dates"), arguments: ["--parse"] + arguments)
    }

    @Test func holidaysAndBirthdaysGoBothWays() async throws {
        let server = try await server()
        var (phone, tablet) = (try await engine(server, "p"), try await engine(server, "t"))
        let holiday = try await phone.create("holiday", "Christmas", picture: "tree")
        let birthday = try await tablet.create("birthday", "Anna", picture: "cake")
        try await phone.pull()
        try await tablet.pull()
        #expect(phone.objects.keys.sorted() == [birthday, holiday].sorted())
        #expect(tablet.objects[holiday]?["name"] == "Christmas")
        #expect(try await tablet.picture(of: holiday) == "tree")
        #expect(try await phone.picture(of: birthday) == "cake")
        #expect(try await tablet.delete(holiday))
        #expect(try await phone.delete(birthday))
        try await phone.pull()
        try await tablet.pull()
        #expect(phone.objects.isEmpty && tablet.objects.isEmpty)
    }

    @Test func calendarIsOnesOwn() async throws {
        let server = try await server()
        var own = try await engine(server, "p")
        let id = try await own.create("holiday", "Christmas", picture: "tree")
        var other = try await engine(server, "q", of: "b")
        try await other.pull()
        #expect(other.objects.isEmpty)
        #expect(try await !other.delete(id))
        try await own.pull()
        #expect(own.objects.keys.sorted() == [id])
    }

    /// A list without a limit has as many objects as the operator sets: with the limit of Parse,
    /// the app takes the others for deleted.
    @Test func listIsAsLongAsOperatorSets() async throws {
        for (arguments, count) in [([], 100), (["--parse-default-limit", "1000"], 120)] {
            let server = try await RunningServer(
                site: try await Site(prepared: "Dates"), arguments: ["--parse"] + arguments)
            var engine = try await engine(server, "p")
            let requests = (0..<120).map { number in
                JSONValue.object([
                    "method": "POST", "path": "/parse/classes/Occasion",
                    "body": .object([
                        "kind": "holiday", "name": .string("\(number)"),
                        "date": .object(["__type": "Date", "iso": "2026-12-24T00:00:00.000Z"]),
                    ]),
                ])
            }
            _ = try await engine.client.ask("POST", "/batch", ["requests": .array(requests)])
            try await engine.pull()
            #expect(engine.objects.count == count)
        }
    }
}
