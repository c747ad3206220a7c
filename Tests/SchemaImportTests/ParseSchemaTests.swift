import DefinitionCompiler
import DefinitionModel
import JSON
import SchemaImport
import Testing

@Suite("A schema of Parse becomes a definition")
struct ParseSchemaTests {
    private static let schemas = """
        {"results":[
          {"className":"GameScore","fields":{
            "objectId":{"type":"String"},"ACL":{"type":"ACL"},
            "player":{"type":"String","required":true},
            "points":{"type":"Number","defaultValue":0},"owner":{"type":"String"},
            "user":{"type":"Pointer","targetClass":"_User"},
            "role":{"type":"Pointer","targetClass":"_Role"},
            "photo":{"type":"File"},"at":{"type":"Date"},
            "cheated":{"type":"Boolean","defaultValue":false},
            "meta":{"type":"Object","defaultValue":{"b":1,"a":"\\"<"}},"seal":{"type":"Bytes"},
            "tags":{"type":"Array","defaultValue":1},"place":{"type":"GeoPoint"},
            "username":{"type":"String"},"email":{"type":"String"},
            "area":{"type":"Polygon"},"mods":{"type":"Relation","targetClass":"_User"},
            "roles":{"type":"Relation","targetClass":"_Role"}},
           "classLevelPermissions":{"find":{"*":true},"get":{"*":true},
            "create":{"requiresAuthentication":true},"update":{"role:mods":true},"delete":{}}},
          {"className":"_User","fields":{"username":{"type":"String"},"city":{"type":"String"}}},
          {"className":"_Session","fields":{}}]}
        """

    private func draft(_ text: String = schemas) throws -> DefinitionDraft {
        try readParseSchemas(try parseJSON(Array(text.utf8)))
    }

    @Test func classesAndColumns() throws {
        let draft = try draft()
        #expect(draft.models.map(\.name) == ["GameScore", "_User", "GameScore_mods"])
        let pairs = try #require(draft.models.last)
        #expect(pairs.joins == "mods" && pairs.fields.allSatisfy(\.isRequired))
        #expect(pairs.fields.map { $0.options["model"] } == ["GameScore", "_User"])
        #expect(
            [pairs.read, pairs.create, pairs.update, pairs.delete] == [.all, .own, .none, .own])
        let score = try #require(draft.models.first)
        #expect(
            score.fields.map(\.name) == [
                "at", "cheated", "email", "meta", "ownerField", "photo", "place", "player",
                "points",
                "role", "seal", "tags", "user", "username",
            ])
        #expect(
            score.fields.map(\.type) == [
                .date, .boolean, .text, .text, .text, .file, .text, .text, .decimal, .belongsTo,
                .text, .text, .belongsTo, .text,
            ])
        #expect(score.fields.compactMap(\.alias) == ["owner"])
        let formats = score.fields.compactMap { field in
            field.ownAttributes["format"].map { "\(field.name) \($0)" }
        }
        #expect(formats == ["meta json", "place geo", "seal base64", "tags json"])
        #expect(score.fields.filter(\.isRequired).map(\.name) == ["player"])
        #expect(
            [score.read, score.create, score.update, score.delete] == [.all, .all, .own, .none])
        #expect(draft.models[1].fields.map(\.name) == ["city"])
        #expect(levels(of: draft.models[1]) == [.all, .own, .own, .own])
        #expect(
            draft.notes == [
                "GameScore.area is left out: there is no type for Polygon",
                "the default of GameScore.tags is left out",
                "the class-level permissions of GameScore name users, roles or pointers",
                "GameScore.roles is left out: its class is not here",
                "the access lists of objects are not kept: set OWN where objects were private",
            ])
    }

    private func levels(of model: DraftModel) -> [AccessLevel] {
        [model.read, model.create, model.update, model.delete]
    }

    /// In Parse, nobody changes the user of another, whatever the permissions are.
    @Test func usersChangeTheirOwnProfiles() throws {
        let everybody = #"{"*":true}"#
        let draft = try draft(
            """
            {"results":[{"className":"_User","fields":{
              "friends":{"type":"Relation","targetClass":"_User"}},
             "classLevelPermissions":{"find":\(everybody),"get":\(everybody),
              "create":\(everybody),"update":\(everybody),"delete":{}}}]}
            """)
        #expect(levels(of: draft.models[0]) == [.all, .own, .own, .none])
        #expect(levels(of: draft.models[1]) == [.all, .own, .none, .own])
    }

    private static let rights = """
        {"results":[{"className":"Game","fields":{
            "a":{"type":"String"},"b":{"type":"String"},"c":{"type":"Number"},
            "message":{"type":"String"},"error":{"type":"Number"}},
          "classLevelPermissions":{"find":{},"get":{},"create":{"*":true},
            "update":{"*":true},"delete":{},
            "protectedFields":{"*":["a","b"],"authenticated":["b","c"],"role:mods":["c"],
              "userField:user":[]},
            "readUserFields":["user"],"writeUserFields":["user","host"]}},
          {"className":"Other","fields":{"a":{"type":"String"}},
           "classLevelPermissions":{"find":{"*":true},"protectedFields":{"*":["a"]}}}]}
        """

    /// A field that no signed-in user sees becomes one for owners, and so do rights of users that
    /// fields name.
    @Test func rightsOfFieldsAndUsers() throws {
        let draft = try draft(Self.rights)
        let game = try #require(draft.models.first)
        #expect(game.fields.filter { $0.read == .own }.map(\.name) == ["b"])
        #expect([game.read, game.create, game.update, game.delete] == [.own, .all, .all, .own])
        #expect(draft.models[1].fields.map(\.read) == [.own])
        #expect(
            draft.notes == [
                "the protected fields of Game for 'role:mods' are left out",
                "Game.message: the client for Swift takes an object with such a text for an error",
                "the readUserFields of Game become OWN: the owner has the right, whomever user "
                    + "names",
                "the writeUserFields of Game become OWN: the owner has the right, whomever user, "
                    + "host names",
                "the class-level permissions of Game name users, roles or pointers",
                "the access lists of objects are not kept: set OWN where objects were private",
            ])
        let text = definitionText(of: draft, application: "games", vendor: "me")
        let result = compile(SourceFile(name: "application.xml", bytes: Array(text.utf8)))
        #expect(
            result.diagnostics.filter { $0.severity == .error }.isEmpty, "\(result.diagnostics)")
        let role = Role(group: "users", deviceCategory: "mobile")
        let fields = result.definition?.models.first?.fields ?? []
        #expect(fields.first { $0.name == "b" }?.credentials[role]?.read == .own)
        #expect(fields.first { $0.name == "a" }?.credentials[role]?.read == .all)
    }

    @Test func textCompiles() throws {
        let text = definitionText(of: try draft(), application: "scores", vendor: "me")
        let result = compile(SourceFile(name: "application.xml", bytes: Array(text.utf8)))
        #expect(
            result.diagnostics.filter { $0.severity == .error }.isEmpty, "\(result.diagnostics)")
        #expect(result.definition?.models.last?.join?.owner == "GameScore")
        let fields = result.definition?.models.first?.fields ?? []
        guard case .decimal(let limits)? = fields.first(where: { $0.name == "points" })?.type else {
            Issue.record("'points' is no DECIMAL")
            return
        }
        // The fraction of a binary number of 64 bits may be long.
        #expect(limits.scale == 30)
        let meta = try #require(fields.first { $0.name == "meta" })
        #expect(meta.defaultValue == .text(#"{"a":"\"<","b":1}"#))
        let seal = try #require(fields.first { $0.name == "seal" })
        #expect([meta, seal].map(\.type.format?.maxBytes) == [1_000_000, 750_000])
    }

    /// Nobody updates a pair, nor a class without the right.
    @Test func draftDrawsNoWarning() throws {
        let everybody = #"{"*":true}"#
        let draft = try draft(
            """
            {"results":[{"className":"Team","fields":{"name":{"type":"String"},
              "players":{"type":"Relation","targetClass":"Player"}}},
             {"className":"Player","fields":{"name":{"type":"String","required":true}},
              "classLevelPermissions":{"find":\(everybody),"get":\(everybody),
               "create":\(everybody),"update":{},"delete":\(everybody)}},
             {"className":"Rule","fields":{"text":{"type":"String"}},
              "classLevelPermissions":{"find":\(everybody),"get":\(everybody),
               "create":\(everybody),"update":{},"delete":{}}}]}
            """)
        let text = definitionText(of: draft, application: "games", vendor: "me")
        let result = compile(SourceFile(name: "application.xml", bytes: Array(text.utf8)))
        #expect(result.diagnostics == [])
        #expect(
            result.definition?.models.map(\.conflictMode)
                == [.merge, .overwrite, .overwrite, .overwrite])
    }

    private static func pairs(_ fields: String) -> String {
        """
        {"results":[{"className":"Team","fields":{
          "players":{"type":"Relation","targetClass":"Player"}}},
         {"className":"Player","fields":{"name":{"type":"String"}}},
         {"className":"TeamPlayer","fields":{\(fields)}}]}
        """
    }

    private static func pointer(_ target: String, isRequired: Bool = true) -> String {
        #"{"type":"Pointer","targetClass":"\#(target)","required":\#(isRequired)}"#
    }

    /// A definition with `w:joins` comes back from the schemas that its server tells.
    @Test func classOfPairsIsRecognized() throws {
        let draft = try draft(
            Self.pairs(
                #""a":\#(Self.pointer("Player")),"team":\#(Self.pointer("Team")),"#
                    + #""number":{"type":"Number"}"#))
        #expect(draft.models.map(\.name) == ["Team", "Player", "TeamPlayer"])
        #expect(draft.models[2].joins == "players")
        #expect(draft.notes.contains { $0.hasPrefix("TeamPlayer is taken for the pairs of Team.") })
        let text = definitionText(of: draft, application: "games", vendor: "me")
        let result = compile(SourceFile(name: "application.xml", bytes: Array(text.utf8)))
        let join = try #require(result.definition?.models[2].join, "\(result.diagnostics)")
        #expect(join.owner == "Team" && join.ownerField == "team" && join.targetField == "a")
    }

    @Test(arguments: [
        #""a":\#(pointer("Player")),"b":\#(pointer("Team", isRequired: false))"#,
        #""a":\#(pointer("Player")),"b":\#(pointer("Player"))"#,
        #""a":\#(pointer("Player")),"b":\#(pointer("Team")),"c":\#(pointer("Team"))"#,
        #""a":\#(pointer("Player")),"b":\#(pointer("Team")),"#
            + #""c":{"type":"String","required":true}"#,
    ])
    func otherClassIsNoPairs(fields: String) throws {
        let draft = try draft(Self.pairs(fields))
        #expect(draft.models.map(\.joins) == [nil, nil, nil, "players"])
    }

    @Test(arguments: ["[]", "{}", #"{"results":[{}]}"#])
    func otherJSONIsRefused(text: String) {
        #expect(throws: SchemaImportError.self) { try draft(text) }
    }
}
