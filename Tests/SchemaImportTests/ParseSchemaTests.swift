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
            "tags":{"type":"Array"},"place":{"type":"GeoPoint"}},
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
        #expect(draft.models.map(\.name) == ["GameScore", "_User"])
        let score = try #require(draft.models.first)
        #expect(
            score.fields.map(\.name) == [
                "at", "cheated", "owner_", "photo", "player", "points", "role", "user",
            ])
        #expect(
            score.fields.map(\.type) == [
                .date, .boolean, .text, .file, .text, .decimal, .belongsTo, .belongsTo,
            ])
        #expect(score.fields.map(\.alias) == [nil, nil, "owner", nil, nil, nil, nil, nil])
        #expect(score.fields.filter(\.isRequired).map(\.name) == ["player"])
        #expect(
            [score.read, score.create, score.update, score.delete] == [.all, .all, .own, .none])
        #expect(draft.models[1].fields.map(\.name) == ["city"])
        #expect(
            draft.notes == [
                "GameScore.place is left out: there is no type for GeoPoint",
                "GameScore.tags is left out: there is no type for Array",
                "the class-level permissions of GameScore name users, roles or pointers",
            ])
    }

    @Test func textCompiles() throws {
        let text = definitionText(of: try draft(), application: "scores", vendor: "me")
        let result = compile(SourceFile(name: "application.xml", bytes: Array(text.utf8)))
        #expect(
            result.diagnostics.filter { $0.severity == .error }.isEmpty, "\(result.diagnostics)")
    }

    @Test(arguments: ["[]", "{}", #"{"results":[{}]}"#])
    func otherJSONIsRefused(text: String) {
        #expect(throws: SchemaImportError.self) { try draft(text) }
    }
}
