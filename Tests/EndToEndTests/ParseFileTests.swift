import Foundation
import JSON
import Testing

@Suite("Clients of Parse keep files")
struct ParseFileTests {
    @Test(arguments: ["test", "test@2", "the/app?"])
    func fileIsShownByLinkOfItsUser(application: String) async throws {
        let server = try await RunningServer.parse(["--parse-applications", "the/app?=test@2"])
        var client = try await ParseClient.signedIn("a", to: server)
        client.application = application
        let bytes = Data((0..<200_000).map { UInt8($0 % 251) })
        let uploaded = try await server.request(
            "POST", "/parse/files/a%20b.png", body: bytes,
            headers: [
                "X-Parse-Application-Id": application,
                "X-Parse-Session-Token": try #require(client.token),
                "Content-Type": "image/png",
            ])
        #expect(uploaded.status == 201, "\(uploaded.text)")
        let file = try #require(try uploaded.json().members)
        let name = try #require(file["name"]?.string)
        #expect(name.hasSuffix("_a b.png"))
        let picture = JSONValue.object(["__type": "File", "name": .string(name)])
        let id = try await client.create("Score", ["player": "a", "picture": picture])
        let found = try await client.get("GET", "/classes/Score/\(id)")
        let url = try #require(found["picture"]?.members?["url"]?.string)
        let path = try #require(URLComponents(string: url)?.percentEncodedPath)
        let contents = try await server.request("GET", path)
        #expect(contents.status == 200 && contents.body == bytes)
        #expect(contents.header("Content-Disposition") == "attachment")
        // Downloaders ask so before they begin.
        let head = try await server.request("HEAD", path)
        #expect(head.status == 200 && head.body.isEmpty)
        #expect(head.header("ETag") != nil && head.header("ETag") == contents.header("ETag"))
        #expect(try await server.request("HEAD", "/parse/files/test/x/y.png").status == 404)
        _ = try await client.get("POST", "/logout")
        #expect(try await server.request("GET", path).parseCode() == 209)
        #expect(try await server.request("GET", "/parse/files/test/x/y.png").parseCode() == 101)
    }

    @Test func fileOfPageIsBase64() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server, manner: .body)
        let file = try await client.get(
            "POST", "/files/a.txt",
            [
                "base64": "aGFsbG8=", "_ContentType": "text/plain",
            ])
        let url = try #require(file["url"]?.string)
        let path = try #require(URLComponents(string: url)?.percentEncodedPath)
        #expect(try await server.request("GET", path).text == "hallo")
        for path in ["/files/-a", "/files"] {
            #expect(try await client.ask("POST", path, ["base64": ""]).parseCode() == 122)
        }
        let anyone = ParseClient(server, manner: .body)
        #expect(try await anyone.ask("POST", "/files/a", ["base64": ""]).parseCode() == 130)
    }

    /// The repeat gets the file of the first, and no other.
    @Test func uploadCanBeRepeated() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server, manner: .body)
        func name(_ requestID: String) async throws -> JSONValue? {
            try await client.get(
                "POST", "/files/a.txt", ["base64": "aGFsbG8="], requestID: requestID)["name"]
        }
        let first = try await name("one")
        #expect(try await name("one") == first && first != nil)
        #expect(try await name("two") != first)
    }

    private static func upload(_ name: String, by client: ParseClient) async throws -> JSONValue {
        var page = client
        page.manner = .body
        let file = try await page.get("POST", "/files/\(name)", ["base64": "aGFsbG8="])
        return .object(["__type": "File", "name": try #require(file["name"])])
    }

    /// The path of the link to the picture of a score; nil if it is not shown.
    private static func path(
        ofPictureIn score: String, for client: ParseClient, headers: [String: String] = [:]
    ) async throws -> String? {
        let shown = try await client.ask("GET", "/classes/Score/\(score)", headers: headers)
        return try shown.json().members?["picture"]?.members?["url"]?.string
            .flatMap { URLComponents(string: $0)?.percentEncodedPath }
    }

    /// Their links have no session, and end with the setting.
    @Test func linksOfGuestAndMaster() async throws {
        let server = try await RunningServer.parseWithMaster(["--guest", "b"])
        let a = try await ParseClient.signedIn("a", to: server)
        let picture = try await Self.upload("a.txt", by: a)
        let score = try await a.create("Score", ["player": "a", "picture": picture])
        let guest = ParseClient(server)
        for headers in [[:], ["X-Parse-Master-Key": "the master"]] {
            let path = try #require(
                try await Self.path(ofPictureIn: score, for: guest, headers: headers))
            #expect(try await server.request("GET", path).text == "hallo")
            // Only for what the user sees at the time.
            let other = path.replacing("/test/", with: "/other/")
            #expect(try await server.request("GET", other).status >= 400)
        }
        let path = try #require(try await Self.path(ofPictureIn: score, for: guest))
        _ = try await a.get("PUT", "/classes/Score/\(score)", ["picture": .null])
        let gone = try await server.request("GET", path)
        #expect(gone.status == 404, "\(gone.text)")
    }

    /// Clients keep the answer to a sign-in as their user. Its links are for the new session,
    /// also if the request has an older one.
    @Test func signInHasLinks() async throws {
        let server = try await RunningServer.parse()
        var a = try await ParseClient.signedIn("a", to: server)
        let face = try await Self.upload("a.txt", by: a)
        _ = try await a.get("PUT", "/users/\(a.userID)", ["face": face])
        let password = JSONValue.string(PreparedDatabase.password(of: "a"))
        let former = a.token
        for token in [nil, former] {
            a.token = token
            let user = try await a.get("POST", "/login", ["username": "a", "password": password])
            #expect(user["sessionToken"]?.string != former)
            let url = try #require(user["face"]?.members?["url"]?.string)
            let path = try #require(URLComponents(string: url)?.percentEncodedPath)
            if token != nil { _ = try await a.get("POST", "/logout") }
            #expect(try await server.request("GET", path).text == "hallo")
        }
    }

    /// A file that is no longer shown is not there.
    @Test func linkEndsWithRight() async throws {
        let server = try await RunningServer.parse()
        let a = try await ParseClient.signedIn("a", to: server)
        let b = try await ParseClient.signedIn("b", to: server)
        let picture = try await Self.upload("a.txt", by: a)
        let score = try await a.create("Score", ["player": "a", "picture": picture])
        let path = try #require(try await Self.path(ofPictureIn: score, for: b))
        #expect(try await server.request("GET", path).text == "hallo")
        _ = try await a.get("DELETE", "/classes/Score/\(score)")
        let gone = try await server.request("GET", path)
        #expect(try gone.status == 404 && gone.parseCode() == 101, "\(gone.text)")
    }

    @Test func masterKeyRemovesUnnamedFiles() async throws {
        let server = try await RunningServer.parseWithMaster()
        let a = try await ParseClient.signedIn("a", to: server)
        let (named, loose) = (
            try await Self.upload("a.txt", by: a), try await Self.upload("b.txt", by: a)
        )
        _ = try await a.create("Score", ["player": "a", "picture": named])
        func remove(_ file: JSONValue, _ key: String?) async throws -> Answer {
            let name = file.members?["name"]?.string ?? ""
            return try await ParseClient(server).ask(
                "DELETE", "/files/\(name)", headers: key.map { ["X-Parse-Master-Key": $0] } ?? [:])
        }
        for key in [nil, "another"] {
            let refused = try await remove(loose, key)
            #expect(refused.status == 403 && refused.text.contains("unauthorized"))
        }
        #expect(try await remove(named, "the master").parseCode() == 119)
        #expect(try await remove(loose, "the master").text == "{}")
        let none = JSONValue.object(["name": "00000000-0000-4000-8000-000000000009_x.txt"])
        for file in [loose, none, .object(["name": "x.txt"])] {
            let answer = try await remove(file, "the master")
            #expect(try answer.status == 404 && answer.parseCode() == 101, "\(answer.text)")
        }
    }
}
