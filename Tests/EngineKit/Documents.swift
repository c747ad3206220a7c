package import DefinitionModel

/// Definitions for the engine's tests.
package enum Documents {
    /// One model with access for everyone: `title` is required, `score` is 1 to 5 with default 1,
    /// `secret` is for the owner only.
    package static func notes(
        _ mode: ConflictMode = .manual, resolving: Bool = true, titleUpdate: String = "ALL",
        scoreCreate: String = "ALL", withSealed: Bool = true, onlyGuestsDelete: Bool = false
    ) -> String {
        document(
            mode,
            models: """
                <model name="Note">
                  <fields>
                    \(field("title", "TEXT", required: true, read: "ALL", update: titleUpdate))
                    \(field("score", "INTEGER", defaultValue: "1", create: scoreCreate,
                        read: "ALL", options: """
                        <option name="minValue">1</option><option name="maxValue">5</option>
                        """))
                    \(field("secret", "TEXT", read: "OWN", update: "ALL"))
                    \(withSealed ? field("sealed", "TEXT", read: "OWN", update: "OWN") : "")
                  </fields>
                  \(credentials(resolving: resolving, onlyGuestsDelete: onlyGuestsDelete))
                </model>
                """)
    }

    /// One model per mode, named after it, with `title` and `score`.
    package static let everyMode = document(
        .manual,
        models: ConflictMode.allCases.map { mode in
            """
            <model name="\(mode.rawValue)" w:conflictMode="\(mode.rawValue)">
              <fields>
                \(field("title", "TEXT", read: "ALL"))
                \(field("score", "INTEGER", read: "ALL"))
              </fields>
              \(credentials(resolving: true))
            </model>
            """
        }.joined())

    /// A folder contains sheets, and a sheet may follow another sheet.
    package static let folders = document(
        .manual,
        models: """
            <model name="Folder">
              <fields>\(field("name", "TEXT", required: true, read: "ALL"))</fields>
              \(credentials(resolving: true))
            </model>
            <model name="Sheet">
              <fields>
                \(field("folder", "BELONGS_TO", required: true, read: "ALL", options: """
                    <option name="model">Folder</option>
                    """))
                \(field("follows", "BELONGS_TO", read: "ALL", options: """
                    <option name="model">Sheet</option>
                    """))
              </fields>
              \(credentials(resolving: true))
            </model>
            """)

    /// Notes with access for everyone: `left` is for users, `right` for guests, `both` for all.
    package static func halves(_ mode: ConflictMode) -> String {
        func half(_ name: String, _ role: String) -> String {
            """
            <field name="\(name)" type="TEXT"><credentials>
              <credential role="\(role)" createAllowed="ALL" readAllowed="ALL"
                updateAllowed="ALL"/>
            </credentials></field>
            """
        }
        return document(
            mode,
            models: """
                <model name="Note">
                  <fields>
                    \(half("left", "users-mobile")) \(half("right", "guests-mobile"))
                    \(field("both", "TEXT", read: "ALL"))
                  </fields>
                  \(credentials(read: "ALL"))
                </model>
                """)
    }

    /// Users have diaries of their own; guests have no access.
    package static let diaries = document(
        .overwrite,
        models: """
            <model name="Note">
              <fields>\(field("title", "TEXT", required: true, read: "ALL"))</fields>
              <credentials>
                <credential role="users-mobile" createAllowed="ALL" readAllowed="OWN"
                  updateAllowed="OWN" deleteAllowed="OWN"/>
                <credential role="guests-mobile" createAllowed="ALL" readAllowed="GROUP"
                  updateAllowed="GROUP" deleteAllowed="NONE"/>
              </credentials>
            </model>
            """)

    package static func document(
        _ mode: ConflictMode, models: String
    ) -> String {
        let groups = ["users", "guests"]
        return """
            <application xmlns="http://schema.mobeelizer.com/application"
              xmlns:w="urn:waggle:definition" application="tests"
              vendor="waggle" w:conflictMode="\(mode.rawValue)">
              <devices><device name="mobile"/></devices>
              <groups>\(groups.map { "<group name=\"\($0)\"/>" }.joined())</groups>
              <roles>\(groups.map { "<role group=\"\($0)\" device=\"mobile\"/>" }.joined())</roles>
              <models>\(models)</models>
            </application>
            """
    }

    package static func field(
        _ name: String, _ type: String, required: Bool = false, defaultValue: String? = nil,
        create: String = "ALL", read: String, update: String = "ALL", own: String = "",
        options: String = ""
    ) -> String {
        """
        <field name="\(name)" type="\(type)" required="\(required)"\
        \(defaultValue.map { " defaultValue=\"\($0)\"" } ?? "") \(own)>
          <credentials>
            <credential role="users-mobile" createAllowed="\(create)" readAllowed="\(read)"
              updateAllowed="\(update)"/>
            \(guests(read: read, update: update))
          </credentials>
          <options>\(options)</options>
        </field>
        """
    }

    private static func guests(read: String, update: String) -> String {
        """
        <credential role="guests-mobile" createAllowed="ALL" readAllowed="\(read)"
          updateAllowed="\(update)"/>
        """
    }

    package static func credentials(resolving: Bool, onlyGuestsDelete: Bool = false) -> String {
        let guests = #"<credential role="guests-mobile" readAllowed="ALL" deleteAllowed="ALL"/>"#
        return """
            <credentials>
              <credential role="users-mobile" createAllowed="ALL" readAllowed="ALL"
                updateAllowed="ALL" deleteAllowed="\(onlyGuestsDelete ? "NONE" : "ALL")"
                resolveConflictAllowed="\(resolving)"/>
              \(onlyGuestsDelete ? guests : "")
            </credentials>
            """
    }

    /// For both groups; all rights but reading are `ALL`.
    package static func credentials(read: String) -> String {
        let credentials = ["users-mobile", "guests-mobile"].map { role in
            """
            <credential role="\(role)" createAllowed="ALL" readAllowed="\(read)"
              updateAllowed="ALL" deleteAllowed="ALL" resolveConflictAllowed="true"/>
            """
        }
        return "<credentials>\(credentials.joined())</credentials>"
    }
}
