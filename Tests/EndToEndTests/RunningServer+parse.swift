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
        _ name: String, _ type: String, _ more: String = "", _ read: String = "ALL"
    )
        -> String
    {
        """
        <field name="\(name)" type="\(type)" \(more.contains("<") ? "" : more)><credentials>
        \(credentials("ALL", read))/></credentials>\(more.contains("<") ? more : "")</field>
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
            field("player", "TEXT", #"required="true""#),
            field("code", "TEXT", #"w:unique="true""#),
            field("points", "INTEGER", option("maxValue", "1000")),
            field("price", "DECIMAL"), field("cheated", "BOOLEAN", #"defaultValue="false""#),
            field("at", "DATE"), field("picture", "FILE"),
            field("game", "BELONGS_TO", option("model", "Game")),
            field("user", "BELONGS_TO", option("model", "_User")),
            field("secret", "TEXT", "", "OWN"),
        ]))
        \(model("Game", "ALL", "ALL", [
            field("name", "TEXT"), field("host", "BELONGS_TO", option("model", "Game")),
        ]))
        \(model("Note", "OWN", "OWN", [
            field("text", "TEXT"), field("owner_", "TEXT", #"w:alias="owner""#),
        ]))
        \(model("Keepsake", "ALL", "ALL", [
            field("holder", "BELONGS_TO", option("model", "Keepsake")),
        ], #"w:alias="Memory""#))
        \(model("_User", "ALL", "OWN", [field("city", "TEXT")]))
        </models></application>
        """
}()

extension RunningServer {
    /// Serves clients of Parse. The users are `a` and `b`.
    static func parse(_ arguments: [String] = []) async throws -> RunningServer {
        let site = try await Site(prepared: "Conflicts") { _ in parseDefinition }
        return try await RunningServer(site: site, arguments: ["--parse"] + arguments)
    }
}
