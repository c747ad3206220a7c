/// A version of a definition, for users with all rights, with any number of models.
///
/// A model is `Film`, or `Film<ConflictsEntity` with its earlier name. Its fields are as in
/// `name<title TEXT required`, `place TEXT default=there`, `note TEXT maxLength=5`,
/// `cinema BELONGS_TO model=Cinema` or `secret TEXT hidden`, which nobody may read or update.
func versionDocument(_ models: [(name: String, fields: [String])]) -> String {
    """
    <application xmlns="http://schema.mobeelizer.com/application"
      xmlns:w="urn:waggle:definition" application="conflicts" vendor="waggle"
      conflictMode="MANUAL">
      <devices><device name="mobile"/></devices><groups><group name="users"/></groups>
      <roles><role group="users" device="mobile"/></roles>
      <models>\(models.map { model($0.name, $0.fields) }.joined())</models>
    </application>
    """
}

func versionDocument(_ model: String, _ fields: [String]) -> String {
    versionDocument([(model, fields)])
}

private let all = #"role="users-mobile" createAllowed="ALL" readAllowed="ALL" updateAllowed="ALL""#
private let none =
    #"role="users-mobile" createAllowed="NONE" readAllowed="NONE" updateAllowed="NONE""#

private func model(_ name: String, _ fields: [String]) -> String {
    """
    <model \(named(name))>
      <fields>\(fields.map(field).joined())</fields>
      <credentials>
        <credential \(all) deleteAllowed="ALL" resolveConflictAllowed="true"/>
      </credentials>
    </model>
    """
}

private func field(_ text: String) -> String {
    let words = text.split(separator: " ").map(String.init)
    let options = words.dropFirst(2).compactMap { word -> (String, String)? in
        let sides = word.split(separator: "=").map(String.init)
        return sides.count == 2 ? (sides[0], sides[1]) : nil
    }
    let value = options.first { $0.0 == "default" }.map { "defaultValue=\"\($0.1)\"" } ?? ""
    let written = options.filter { $0.0 != "default" }.map { name, value in
        "<option name=\"\(name)\">\(value)</option>"
    }
    return """
        <field \(named(words[0])) type="\(words[1])" required="\(words.contains("required"))"
          \(words.contains("unique") ? "w:unique=\"true\"" : "") \(value)>
          <credentials><credential \(words.contains("hidden") ? none : all)/></credentials>
          \(written.isEmpty ? "" : "<options>\(written.joined())</options>")
        </field>
        """
}

private func named(_ text: String) -> String {
    let parts = text.split(separator: "<")
    return "name=\"\(parts[0])\""
        + (parts.count == 1 ? "" : " w:renamedFrom=\"\(parts[1])\"")
}
