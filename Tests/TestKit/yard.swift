import DefinitionCompiler
package import DefinitionModel

/// A small definition with a bit of everything: rights of each level on records and fields, a
/// relation, a unique value, limits and a default. `analyzed` is whether conflict detection treats
/// a site and its tasks as one graph.
///
/// - Parameters:
///   - tasksOfWorkers: The level of their rights.
///   - keysSetByWorkers: On which sites workers may change keys. They read those of their own.
package func yard(
    _ mode: ConflictMode, analyzed: Bool = false, tasksOfWorkers: String = "GROUP",
    keysSetByWorkers: String = "OWN"
) throws -> Definition {
    let text = document(
        mode, analyzed: analyzed, tasksOfWorkers: tasksOfWorkers, keysSetByWorkers)
    let source = SourceFile(name: "yard.xml", bytes: Array(text.utf8))
    let compilation = compile(source)
    guard let definition = compilation.definition else {
        throw WrongDocument(findings: renderForPeople(compilation, of: source))
    }
    return definition
}

private struct WrongDocument: Error {
    let findings: String
}

private func document(
    _ mode: ConflictMode, analyzed: Bool, tasksOfWorkers: String, _ keysSetByWorkers: String
) -> String {
    """
    <application xmlns="http://schema.mobeelizer.com/application"
      xmlns:w="urn:waggle:definition" application="yard" vendor="waggle"
      w:conflictMode="\(mode.rawValue)">
      <devices><device name="mobile"/><device name="desk"/></devices>
      <groups><group name="workers"/><group name="chiefs"/><group name="guests"/></groups>
      <roles>
        <role group="workers" device="mobile"/><role group="chiefs" device="mobile"/>
        <role group="guests" device="mobile"/><role group="workers" device="desk"/>
      </roles>
      <models>
        <model name="Site">
          <fields>
            \(field("name", "TEXT", required: true, workers: "ALL", guests: "ALL"))
            \(field("code", "TEXT", own: #"w:unique="true""#, workers: "ALL", guests: "NONE"))
            \(field("keys", "TEXT", workers: "OWN", setByWorkers: keysSetByWorkers, guests: "NONE"))
          </fields>
          \(credentials(workers: "ALL", guests: "GROUP"))
        </model>
        <model name="Task">
          <fields>
            \(field("title", "TEXT", required: true, workers: "ALL", guests: "ALL"))
            \(field("stars", "INTEGER", defaultValue: "1", workers: "GROUP", guests: "OWN",
                options: """
                    <option name="minValue">1</option><option name="maxValue">5</option>
                    """))
            \(field("tags", "TEXT", own: #"w:format="json""#, workers: "ALL", guests: "OWN"))
            \(field("site", "BELONGS_TO", workers: "ALL", guests: "NONE",
                options: """
                    <option name="model">Site</option>
                    <option name="analyzeConflict">\(analyzed)</option>
                    """))
          </fields>
          \(credentials(workers: tasksOfWorkers, guests: "OWN"))
        </model>
      </models>
    </application>
    """
}

private func field(
    _ name: String, _ type: String, required: Bool = false, defaultValue: String? = nil,
    own: String = "", workers: String, setByWorkers: String? = nil, guests: String,
    options: String = ""
) -> String {
    let value = defaultValue.map { " defaultValue=\"\($0)\"" } ?? ""
    let rights = { (read: String, update: String) in
        "createAllowed=\"ALL\" readAllowed=\"\(read)\" updateAllowed=\"\(update)\""
    }
    let ofWorkers = rights(workers, setByWorkers ?? workers)
    return """
        <field name="\(name)" type="\(type)" required="\(required)"\(value) \(own)>
          <credentials>
            <credential role="workers-mobile" \(ofWorkers)/>
            <credential role="workers-desk" \(ofWorkers)/>
            <credential role="chiefs-mobile" \(rights("ALL", "ALL"))/>
            <credential role="guests-mobile" \(rights(guests, guests))/>
          </credentials>
          <options>\(options)</options>
        </field>
        """
}

private func credentials(workers: String, guests: String) -> String {
    let rights = { (level: String, resolves: Bool) in
        """
        createAllowed="ALL" readAllowed="\(level)" updateAllowed="\(level)" \
        deleteAllowed="\(level)" resolveConflictAllowed="\(resolves)"
        """
    }
    return """
        <credentials>
          <credential role="workers-mobile" \(rights(workers, true))/>
          <credential role="workers-desk" \(rights(workers, false))/>
          <credential role="chiefs-mobile" \(rights("ALL", true))/>
          <credential role="guests-mobile" \(rights(guests, false))/>
        </credentials>
        """
}
