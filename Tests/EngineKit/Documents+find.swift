import DefinitionModel

extension Documents {
    /// Things of every type, in boxes; `code` is unique. Everything is visible to everyone, except
    /// the `secret` of a thing and of a box, which is visible to the owner.
    package static let things = document(
        .manual,
        models: things(read: "ALL") { $0 == "secret" ? "OWN" : "ALL" })

    /// The same with arbitrary read rights: of records by model, and of fields by model and field.
    package static func things(
        records: (_ model: String) -> String, fields: (_ model: String, _ field: String) -> String
    ) -> String {
        let models = thingFields.map { model, list in
            """
            <model name="\(model)">
              <fields>\(list.map { anyField($0, credentials: fields(model, $0.name)) }.joined())
              </fields>
              \(records(model))
            </model>
            """
        }
        return document(.manual, models: models.joined())
    }

    private static func things(read: String, field: (String) -> String) -> String {
        thingFields.map { model, list in
            """
            <model name="\(model)">
              <fields>\(list.map {
                anyField($0, credentials: fieldCredentials(read: field($0.name)))
              }.joined())
              </fields>
              \(credentials(read: read))
            </model>
            """
        }.joined()
    }

    package struct ThingField: Sendable {
        package let name: String
        package let type: String
        package var options: [String: String] = [:]
        package var own = ""
    }

    package static let thingFields: [(model: String, fields: [ThingField])] = [
        (
            "Thing",
            [
                ThingField(name: "name", type: "TEXT"), ThingField(name: "note", type: "TEXT"),
                ThingField(name: "whole", type: "INTEGER", options: everyInteger),
                ThingField(name: "part", type: "INTEGER", options: everyInteger),
                ThingField(name: "price", type: "DECIMAL", options: ["scale": "30"]),
                ThingField(name: "cost", type: "DECIMAL", options: ["scale": "30"]),
                ThingField(name: "done", type: "BOOLEAN"),
                ThingField(name: "fine", type: "BOOLEAN"),
                ThingField(name: "day", type: "DATE"), ThingField(name: "due", type: "DATE"),
                ThingField(name: "box", type: "BELONGS_TO", options: ["model": "Box"]),
                ThingField(name: "follows", type: "BELONGS_TO", options: ["model": "Thing"]),
                ThingField(name: "photo", type: "FILE"), ThingField(name: "scan", type: "FILE"),
                ThingField(name: "code", type: "TEXT", own: "w:unique=\"true\""),
                ThingField(name: "secret", type: "TEXT"),
            ]
        ),
        (
            "Box",
            [
                ThingField(name: "name", type: "TEXT"),
                ThingField(name: "size", type: "INTEGER", options: everyInteger),
                ThingField(name: "inside", type: "BELONGS_TO", options: ["model": "Box"]),
                ThingField(name: "secret", type: "TEXT"),
            ]
        ),
    ]

    private static let everyInteger = [
        "minValue": String(Int64.min), "maxValue": String(Int64.max),
    ]

    private static func anyField(_ field: ThingField, credentials: String) -> String {
        let options = field.options.sorted { $0.key < $1.key }
            .map { "<option name=\"\($0.key)\">\($0.value)</option>" }
        return """
            <field name="\(field.name)" type="\(field.type)" \(field.own)>
              \(credentials)<options>\(options.joined())</options>
            </field>
            """
    }

    /// For both groups.
    package static func fieldCredentials(read: String) -> String {
        fieldCredentials(users: read, guests: read)
    }

    package static func fieldCredentials(users: String, guests: String) -> String {
        let credentials = [("users", users), ("guests", guests)].map { group, read in
            """
            <credential role="\(group)-mobile" createAllowed="ALL" readAllowed="\(read)"
              updateAllowed="ALL"/>
            """
        }
        return "<credentials>\(credentials.joined())</credentials>"
    }

    package static func recordCredentials(users: String, guests: String) -> String {
        let credentials = [("users", users), ("guests", guests)].map { group, read in
            """
            <credential role="\(group)-mobile" createAllowed="ALL" readAllowed="\(read)"
              updateAllowed="ALL" deleteAllowed="ALL" resolveConflictAllowed="true"/>
            """
        }
        return "<credentials>\(credentials.joined())</credentials>"
    }
}
