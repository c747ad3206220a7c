import DefinitionCompiler
import DefinitionEditing
import Testing

private let document = """
    <?xml version="1.0"?>
    <!-- Notes of a team. -->
    <application xmlns="http://schema.mobeelizer.com/application"
                 application='notes' vendor="waggle" conflictMode="MANUAL">
      <devices><device name="mobile"/></devices>
      <groups>
        <group name="users"/> <!-- everybody -->
      </groups>
      <roles><role group="users" device="mobile"/></roles>
      <models>
        <model name="list"/>
        <!-- one line -->
        <model name="note">
          <fields>
            <field name="text" type="TEXT"   required="true">
              <credentials>
                <credential role="users-mobile" readAllowed="ALL" />
              </credentials>
            </field>
            <field name="list" type="BELONGS_TO"><options>
              <option name="model"> list </option></options></field>
          </fields>
        </model>
      </models>
    </application>

    """

private let models = ElementPath([.init("models")])
private let note = models.appending("model", .init("name", "note"))
private let text = note.appending("fields").appending("field", .init("name", "text"))
private let relation = note.appending("fields").appending("field", .init("name", "list"))

@Suite("An edit changes its bytes of the text and no others")
struct EditTests {
    /// Each edit, the stretch of the document that it replaces, and its new text.
    private static let cases: [(DefinitionEdit, old: String, new: String)] = [
        (
            .set(ElementPath([]), attribute: "application", value: "it's"), "'notes'",
            "'it&apos;s'"
        ),
        (
            .set(text, attribute: "required", value: nil), "\"TEXT\"   required=\"true\"",
            "\"TEXT\""
        ),
        (
            .set(text, attribute: "defaultValue", value: "a<\"b\""),
            "required=\"true\"", "required=\"true\" defaultValue=\"a&lt;&quot;b&quot;\""
        ),
        (
            .set(
                text.appending("credentials")
                    .appending("credential", .init("role", "users-mobile")),
                attribute: "updateAllowed", value: "OWN"),
            "readAllowed=\"ALL\" />", "readAllowed=\"ALL\" updateAllowed=\"OWN\" />"
        ),
        (
            .write(
                relation.appending("options").appending("option", .init("name", "model")),
                text: "note"),
            "> list <", "> note <"
        ),
        (
            .write(
                text.appending("options").appending("option", .init("name", "maxLength")),
                text: "9"),
            "          </credentials>\n        </field>\n        <field name=\"list\"",
            "          </credentials>\n          <options>\n"
                + "            <option name=\"maxLength\">9</option>\n"
                + "          </options>\n        </field>\n        <field name=\"list\""
        ),
        (
            .remove(models.appending("model", .init("name", "list"))),
            "    <model name=\"list\"/>\n", ""
        ),
        (
            .remove(ElementPath([.init("groups"), .init("group", [.init("name", "users")])])),
            "<group name=\"users\"/>", ""
        ),
        (
            .add(
                models.appending("model", .init("name", "list")).appending("fields")
                    .appending("field", .init("name", "title"), .init("type", "TEXT"))),
            "<model name=\"list\"/>",
            "<model name=\"list\">\n      <fields>\n"
                + "        <field name=\"title\" type=\"TEXT\"/>\n      </fields>\n    </model>"
        ),
        (
            .add(ElementPath([.init("devices"), .init("device", [.init("name", "desk")])])),
            "<device name=\"mobile\"/>", "<device name=\"mobile\"/><device name=\"desk\"/>"
        ),
        (
            .move(models.appending("model", .init("name", "list")), down: false), "", ""
        ),
        (.add(text), "", ""),
    ]

    @Test(arguments: cases.indices)
    func onlyItsStretchChanges(number: Int) throws {
        let (edit, old, new) = Self.cases[number]
        let expected = document.replacing(old, with: new, maxReplacements: 1)
        #expect(try edited(document, edit) == expected)
    }

    @Test func ownAttributeDeclaresItsNamespace() throws {
        let edit = DefinitionEdit.set(note, attribute: "w:renamedFrom", value: "memo")
        let result = try edited(document, edit)
        #expect(result.contains(#"conflictMode="MANUAL" xmlns:w="urn:waggle:definition">"#))
        #expect(result.contains(#"<model name="note" w:renamedFrom="memo">"#))
        #expect(
            try edited(result, .set(note, attribute: "w:description", value: "x")).ranges(
                of: "xmlns:w"
            ).count == 1)
    }

    /// The contents of an option, before and after its text becomes `7`.
    @Test(arguments: [
        ("<!-- none yet -->", "<!-- none yet -->7"),
        ("<!-- none --> 5 <!-- one -->", "<!-- none --> 7 <!-- one -->"),
        ("5<!-- one -->", "7<!-- one -->"), ("1<!-- a --> 2 <?b?>3", "7<!-- a -->  <?b?>"),
        ("<![CDATA[<!--5-->]]>", "7"), ("\n  ", "\n  7"), (" 5\n", " 7\n"), ("&#53;", "7"),
    ])
    func commentsInTextStay(before: String, after: String) throws {
        let source = { (text: String) in
            "<application><option name=\"minValue\">\(text)</option></application>"
        }
        let path = ElementPath([.init("option", [.init("name", "minValue")])])
        #expect(try edited(source(before), .write(path, text: "7")) == source(after))
    }

    @Test func modelIsRenamedWithRelationsToIt() throws {
        let path = models.appending("model", .init("name", "list"))
        let result = try edited(document, .rename(path, to: "folder"))
        #expect(
            result
                == document.replacing("model name=\"list\"", with: "model name=\"folder\"")
                .replacing("> list <", with: "> folder <"))
    }

    @Test func groupIsRenamedWithItsRoles() throws {
        let path = ElementPath([.init("groups"), .init("group", [.init("name", "users")])])
        let result = try edited(document, .rename(path, to: "staff"))
        #expect(
            result
                == document.replacing("\"users\"", with: "\"staff\"")
                .replacing("users-mobile", with: "staff-mobile"))
    }

    @Test func rightsAreCopiedAndRemovedWithRole() throws {
        let copied = try edited(document, .copyRights(from: "users-mobile", to: "users-desk"))
        let line = "            <credential role=\"users-mobile\" readAllowed=\"ALL\" />\n"
        let copy = "            <credential role=\"users-desk\" readAllowed=\"ALL\"/>\n"
        #expect(copied == document.replacing(line, with: line + copy))
        #expect(try edited(copied, .removeRole("users-desk")) == document)
    }

    @Test func elementsChangePlaces() throws {
        let moved = try edited(document, .move(note, down: false))
        let back = try edited(moved, .move(note, down: true))
        #expect(moved != document)
        #expect(back == document)
    }

    @Test func byteOrderMarkAndLineBreaksStay() throws {
        let source = "\u{FEFF}<application>\r\n\t<groups>\r\n\t</groups>\r\n</application>\r\n"
        let path = ElementPath([.init("groups"), .init("group", [.init("name", "a")])])
        #expect(
            try edited(source, .add(path)).utf8.elementsEqual(
                source.replacing("<groups>\r\n", with: "<groups>\r\n\t\t<group name=\"a\"/>\r\n")
                    .utf8))
    }

    @Test(arguments: [
        ("<application", DefinitionEdit.add(models), EditError.illegible),
        (
            document, .remove(models.appending("model", .init("name", "x"))),
            .missing(models.appending("model", .init("name", "x")))
        ),
        (document, .set(text, attribute: "defaultValue", value: "\u{1}"), .illegal("\u{1}")),
        (document, .set(text, attribute: "a=\"\" b", value: ""), .illegal("a=\"\" b")),
        (document, .add(ElementPath([.init("a/><b")])), .illegal("a/><b")),
        (document, .rename(text, to: "x"), .notRenamed(text)),
    ])
    func impossibleEditIsRefused(source: String, edit: DefinitionEdit, error: EditError) {
        #expect(throws: error) { try edited(source, edit) }
    }
}

func edited(_ source: String, _ edits: DefinitionEdit...) throws -> String {
    let file = SourceFile(name: "application.xml", bytes: Array(source.utf8))
    return String(decoding: try edit(file, edits), as: UTF8.self)
}
