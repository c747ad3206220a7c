import JSON
import Testing

@Suite("Clients of Parse read roles and schemas")
struct ParseSchemaTests {
    @Test func rolesAreGroups() async throws {
        let client = try await ParseClient.signedIn("a", to: try await RunningServer.parse())
        let own = JSONValue.object(["users": .pointer("_User", client.userID)])
        let roles = try await client.get("GET", "/roles", ["where": own])
        guard case .array(let found)? = roles["results"] else { throw Unexpected("\(roles)") }
        #expect(found.map { $0.members?["name"] } == ["users"])
        let role = try #require(found.first?.members)
        #expect(role["users"]?.members?["className"] == "_User")
        #expect(role["roles"]?.members?["className"] == "_Role")
        let id = try #require(role["objectId"]?.string)
        for (condition, count) in [
            (#"{"name":{"$ne":"admins"}}"#, 1), (#"{"name":{"$nin":["users"]}}"#, 0),
            (#"{"$or":[{"name":"admins"},{"objectId":"\#(id)"}]}"#, 1),
            (#"{"users":\#(JSONValue.pointer("_User", "x").text)}"#, 0),
        ] {
            let found = try await client.get(
                "GET", "/roles",
                ["where": try parseJSON(Array(condition.utf8)), "count": 1, "limit": 0])
            #expect(found["count"] == .integer(Int64(count)), "\(condition)")
        }
        for (key, ids) in [("users", [client.userID]), ("roles", [])] as [(String, [String])] {
            let related = JSONValue.object([
                "$relatedTo": .object([
                    "object": .pointer("_Role", id), "key": .string(key),
                ])
            ])
            let users = try await client.find("_User", ["where": related])
            #expect(users.compactMap { $0["objectId"]?.string } == ids)
            #expect(try await client.find("_Role", ["where": related]).isEmpty)
        }
    }

    @Test func schemaIsDefinition() async throws {
        let server = try await RunningServer.parseWithMaster()
        let anyone = ParseClient(server)
        func ask(_ method: String, _ path: String, _ key: String) async throws -> Answer {
            try await anyone.ask(method, path, headers: ["X-Parse-Master-Key": key])
        }
        #expect(try await ask("GET", "/schemas", "another").status == 403)
        let all = try await ask("GET", "/schemas", "the master").json().members
        guard case .array(let schemas)? = all?["results"] else { throw Unexpected("\(all ?? [:])") }
        let names = schemas.compactMap { $0.members?["className"]?.string }
        #expect(names.contains("Memory"))
        let score = try await ask("GET", "/schemas/Score", "the master").json().members ?? [:]
        #expect(schemas.contains(.object(score)))
        let fields = score["fields"]?.members ?? [:]
        for (name, column) in [
            ("player", ["type": "String", "required": .boolean(true)]),
            ("cheated", ["type": "Boolean", "defaultValue": .boolean(false)]),
            ("game", ["type": "Pointer", "targetClass": "Game"]),
            ("place", ["type": "GeoPoint"]), ("updatedAt", ["type": "Date"]),
        ] as [(String, [String: JSONValue])] {
            #expect(fields[name]?.members == column, "\(name)")
        }
        let rights = score["classLevelPermissions"]?.members ?? [:]
        #expect(rights["find"]?.members == ["requiresAuthentication": .boolean(true)])
        #expect(rights["update"]?.members == ["role:users": .boolean(true)])
        #expect(rights["addField"]?.members == [:])
        let game = try await ask("GET", "/schemas/Game", "the master").json().members ?? [:]
        let players = game["fields"]?.members?["players"]?.members
        #expect(players == ["type": "Relation", "targetClass": "_User"])
        #expect(try await ask("GET", "/schemas/None", "the master").parseCode() == 103)
        #expect(try await ask("PUT", "/schemas/Game", "the master").parseCode() == 119)
    }

    /// A definition has one type for objects and arrays.
    @Test func defaultsAreValues() async throws {
        let server = try await RunningServer.parseWithMaster()
        let answer = try await ParseClient(server).ask(
            "GET", "/schemas/Memory", headers: ["X-Parse-Master-Key": "the master"])
        let fields = try answer.json().members?["fields"]?.members
        #expect(
            fields?["tags"]?.members == ["type": "Array", "defaultValue": .array(["a"])])
        #expect(
            fields?["shape"]?.members == ["type": "Object", "defaultValue": .object(["a": 1])])
    }

    @Test func adminsReadSchemas() async throws {
        let server = try await RunningServer.parse()
        try await server.addChief()
        let admin = try await ParseClient.signedIn("chief", to: server)
        let score = try await admin.get("GET", "/schemas/Score")
        #expect(score["className"] == "Score" && score["fields"]?.members?["player"] != nil)
        #expect(try await admin.ask("PUT", "/schemas/Score").parseCode() == 119)
        let user = try await ParseClient.signedIn("a", to: server)
        for client in [user, ParseClient(server)] {
            for path in ["/schemas", "/schemas/Score", "/schemas/None"] {
                let answer = try await client.ask("GET", path)
                #expect(answer.status == 403 && !"\(answer)".contains("player"), "\(path)")
            }
        }
    }
}
