import DefinitionCompiler
import DefinitionModel
import TestKit
import Testing

/// The text of an example in `Definitions/`.
func definition(_ name: String) throws -> String {
    String(decoding: try bytes(ofFile: "Definitions/\(name)/application.xml"), as: UTF8.self)
}

/// The films with a required `status` before all other fields.
func filmsWithStatus() throws -> String {
    try definition("Conflicts").changing(
        "<field name=\"title\"",
        to: """
            <field name="status" type="TEXT" required="true"><credentials>
              <credential role="users-mobile" createAllowed="ALL" readAllowed="ALL"
                updateAllowed="ALL"/></credentials></field>
            <field name="title"
            """)
}

/// The fingerprint of the definition that a document describes.
func fingerprint(of document: String) throws -> String {
    let source = SourceFile(name: "application.xml", bytes: Array(document.utf8))
    return try #require(compile(source).definition).fingerprint
}

extension String {
    /// Replaces a text, which must occur.
    func changing(_ old: String, to new: String) throws -> String {
        guard contains(old) else { throw Unexpected("there is no '\(old)' to change") }
        return replacing(old, with: new, maxReplacements: 1)
    }

    /// The definition *Conflicts* with titles of up to a million characters.
    func allowingLongTitles() throws -> String {
        try changing(
            "          </credentials>\n        </field>",
            to: """
                          </credentials>
                          <options><option name="maxLength">1000000</option></options>
                        </field>
                """)
    }
}
