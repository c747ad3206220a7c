/// A definition for clients of Parse, in place of a sample's. Users see all scores and change their
/// own, and see their own notes.
let parseDefinition: String = {
    func credentials(_ write: String, _ read: String = "ALL") -> String {
        """
        <credential role="users-mobile" createAllowed="ALL" readAllowed="\(read)"
          updateAllowed="\(write)"
        """
    }
    func field(
        _ name: String, _ type: String, _ more: String = "", _ read: String = "ALL",
        write: String = "ALL", required: Bool = false
    ) -> String {
        """
        <field name="\(name)" type="\(type)" required="\(required)"
          \(more.contains("<") ? "" : more)><credentials>
        \(credentials(write, read))/></credentials>\(more.contains("<") ? more : "")</field>
        """
    }
    func model(
        _ name: String, _ read: String, _ write: String, _ fields: [String], _ more: String = ""
    ) -> String {
        """
        <model name="\(name)" \(more)><fields>\(fields.joined())</fields><credentials>
        \(credentials(write, read)) deleteAllowed="\(write)"/></credentials></model>
        """
    }
    func option(_ name: String, _ value: String) -> String {
        "<options><option name=\"\(name)\">\(value)</option></options>"
    }
    return """
        <application xmlns="http://schema.mobeelizer.com/application"
          xmlns:w="urn:waggle:definition" application="conflicts" vendor="waggle"
          conflictMode="MANUAL"><devices><device name="mobile"/></devices>
        <groups><group name="users"/></groups>
        <roles><role group="users" device="mobile"/></roles>
        <models>
        \(model("Score", "ALL", "OWN", [
            field("player", "TEXT", required: true),
            field("code", "TEXT", #"w:unique="true""#),
            field("points", "INTEGER", option("maxValue", "1000")),
            field("price", "DECIMAL"), field("cheated", "BOOLEAN", #"defaultValue="false""#),
            field("at", "DATE"), field("picture", "FILE"),
            field("game", "BELONGS_TO", option("model", "Game")),
            field("user", "BELONGS_TO", option("model", "_User")),
            field("secret", "TEXT", "", "OWN"),
            field("meta", "TEXT", #"w:format="json" w:maxBytes="1000""#),
            field("place", "TEXT", #"w:format="geo""#),
            field("seal", "TEXT", #"w:format="base64" w:maxBytes="4""#),
        ]))
        \(model("Game", "ALL", "ALL", [
            field("name", "TEXT"), field("moves", "TEXT", #"w:format="json""#),
            field("plan", "TEXT", #"w:format="json""#, "OWN"),
            field("stake", "DECIMAL", write: "OWN"),
            field("host", "BELONGS_TO", option("model", "Game")),
        ]))
        \(model("GamePlayer", "ALL", "OWN", [
            field("game", "BELONGS_TO", option("model", "Game"), required: true),
            field("player", "BELONGS_TO", option("model", "_User"), required: true),
        ], #"w:joins="players""#))
        \(model("GameScore", "OWN", "OWN", [
            field("game", "BELONGS_TO", option("model", "Game"), required: true),
            field("score", "BELONGS_TO", option("model", "Score"), required: true),
        ], #"w:joins="scores""#))
        \(model("Note", "OWN", "OWN", [
            field("text", "TEXT"), field("owner_", "TEXT", #"w:alias="owner""#),
        ]))
        \(model("Keepsake", "ALL", "ALL", [
            field("holder", "BELONGS_TO", option("model", "Keepsake")),
            field("tags", "TEXT", #"w:format="json" defaultValue='["a"]'"#),
            field("shape", "TEXT", #"w:format="json" defaultValue='{"a":1}'"#),
        ], #"w:alias="Memory""#))
        \(model("_User", "ALL", "OWN", [field("city", "TEXT"), field("face", "FILE")]))
        </models></application>
        """
}()

extension RunningServer {
    /// Serves clients of Parse. The users are `a` and `b`.
    static func parse(_ arguments: [String] = []) async throws -> RunningServer {
        let site = try await Site(prepared: "Conflicts") { _ in parseDefinition }
        return try await RunningServer(site: site, arguments: ["--parse"] + arguments)
    }

    /// The same with a master key, `the master`, whose user `chief` is an admin.
    static func parseWithMaster(_ arguments: [String] = []) async throws -> RunningServer {
        let server = try await parse(
            ["--parse-master-key", "the master", "--parse-master-user", "chief"] + arguments)
        try await server.addChief()
        return server
    }

    /// Adds the admin `chief`.
    func addChief(to group: String = "users") async throws {
        let added = try await site.waggle(
            "user", "add", "chief", "--group", group, "--admin", "--password-stdin",
            input: PreparedDatabase.password(of: "chief"))
        guard added.exitCode == 0 else { throw Unexpected("\(added.errors)") }
    }

    /// The same without a model of users.
    static func parseWithoutProfiles(_ arguments: [String] = []) async throws -> RunningServer {
        let site = try await Site(prepared: "Conflicts") { _ in
            """
            <application xmlns="http://schema.mobeelizer.com/application" application="conflicts"
              vendor="waggle" conflictMode="MANUAL"><devices><device name="mobile"/></devices>
            <groups><group name="users"/></groups>
            <roles><role group="users" device="mobile"/></roles>
            <models><model name="Note"><fields><field name="text" type="TEXT"><credentials>
            <credential role="users-mobile" createAllowed="ALL" readAllowed="ALL"
              updateAllowed="ALL"/></credentials></field></fields><credentials>
            <credential role="users-mobile" createAllowed="ALL" readAllowed="OWN"
              updateAllowed="OWN" deleteAllowed="OWN"/></credentials></model></models>
            </application>
            """
        }
        return try await RunningServer(site: site, arguments: ["--parse"] + arguments)
    }
}
