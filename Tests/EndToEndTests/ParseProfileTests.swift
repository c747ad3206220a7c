import JSON
import Testing

@Suite("Clients of Parse find and change profiles")
struct ParseProfileTests {
    @Test func usersAreFoundByName() async throws {
        let server = try await RunningServer.parse()
        let a = try await ParseClient.signedIn("a", to: server)
        _ = try await ParseClient.signedIn("b", to: server)
        for (condition, names) in [
            (#"{"username":"b"}"#, ["b"]), (#"{"username":{"$ne":"b"}}"#, ["a"]),
            (#"{"username":{"$in":["a","b","c"]}}"#, ["a", "b"]), (#"{"username":"c"}"#, []),
            (#"{"username":{"$regex":"^B","$options":"i"}}"#, ["b"]),
        ] {
            let found = try await a.find(
                "_User", ["where": parseJSON(Array(condition.utf8)), "order": "username"])
            #expect(found.compactMap { $0["username"]?.string } == names, "\(condition)")
        }
        let last = try await a.find("_User", ["order": "-username", "limit": 1])
        #expect(last.map { $0["username"] } == ["b"])
    }

    /// Clients save a changed user with the object that names it.
    @Test func batchChangesOwnProfileOnly() async throws {
        let server = try await RunningServer.parse()
        let a = try await ParseClient.signedIn("a", to: server)
        let b = try await ParseClient.signedIn("b", to: server)
        func request(_ method: String, _ path: String, _ body: [String: JSONValue]) -> JSONValue {
            .object([
                "method": .string(method), "path": .string("/parse\(path)"),
                "body": .object(body),
            ])
        }
        let answer = try await a.ask(
            "POST", "/batch",
            [
                "requests": .array([
                    request("PUT", "/users/\(a.userID)", ["city": "Bern", "username": "a"]),
                    request("PUT", "/classes/_User/\(a.userID)", ["city": "Biel"]),
                    request("PUT", "/users/\(b.userID)", ["city": "Rome"]),
                    request("PUT", "/users/\(a.userID)", ["password": "another one"]),
                    request("DELETE", "/users/\(a.userID)", [:]),
                    request("POST", "/users", ["username": "c", "password": "long enough"]),
                    request("POST", "/classes/Note", ["text": "with it"]),
                ])
            ])
        let results = try parseJSON(Array(answer.text.utf8)).elements
        let codes = results.map { $0.members?["error"]?.members?["code"] }
        #expect(codes == [nil, nil, 206, 119, 119, 119, nil], "\(answer.text)")
        #expect(try await a.get("GET", "/users/me")["city"] == "Biel")
        #expect(try await b.get("GET", "/users/me")["city"] == nil)
    }
}
