import DefinitionModel
import DefinitionReports
import Foundation
import TestKit
import Testing

/// Complete reports. `UPDATE_GOLDEN=1` rewrites them.
@Suite struct GoldenTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let file: String
        let document: String
        let render: @Sendable (Definition) -> String

        init(
            _ file: String, of document: String,
            _ render: @escaping @Sendable (Definition) -> String
        ) {
            self.file = file
            self.document = document
            self.render = render
        }

        var testDescription: String { file }
    }

    static let cases = [
        Case("Permissions-rights.txt", of: "Permissions") { renderAsText(RightsMatrix($0)) },
        Case("Permissions-rights.json", of: "Permissions") { renderAsJSON(RightsMatrix($0)) },
        Case("FieldService-rights.txt", of: "FieldService") { renderAsText(RightsMatrix($0)) },
        Case("levels-rights.txt", of: "levels") { renderAsText(RightsMatrix($0)) },
        Case("levels-rights.json", of: "levels") { renderAsJSON(RightsMatrix($0)) },
        Case("levels-rights.html", of: "levels") { renderAsHTML(RightsMatrix($0)) },
        Case("levels-diagram.svg", of: "levels") { renderAsSVG(Diagram($0)) },
        Case("FieldService-diagram.svg", of: "FieldService") { renderAsSVG(Diagram($0)) },
        Case("FieldService-diagram.mmd", of: "FieldService") { renderAsMermaid($0) },
        Case("clinic-diagram.svg", of: "clinic") { renderAsSVG(Diagram($0)) },
        Case("clinic-diagram.mmd", of: "clinic") { renderAsMermaid($0) },
    ]

    /// From `parcels.xml` to a version with many edits.
    @Test func comparisonReads() throws {
        let comparison = DefinitionComparison(
            from: try Documents.definition("parcels"),
            to: try edited(
                "parcels",
                [
                    (
                        from: #"<model name="van">"#,
                        to: #"<model name="lorry" w:renamedFrom="van">"#
                    ),
                    (from: "model\">van<", to: "model\">lorry<"),
                    (from: "maxLength\">8", to: "maxLength\">6"),
                    (from: "packed|sent|delivered", to: "packed|sent|delivered|lost"),
                    (
                        from: #"<field name="fragile""#,
                        to: #"<field name="size" type="TEXT" required="true" defaultValue="S"/>"#
                            + #"<field name="fragile""#
                    ),
                    (from: "What is sent.", to: "What is on its way."),
                    (
                        from: #"readAllowed="OWN" updateAllowed="OWN"/>"#,
                        to: #"readAllowed="GROUP"/>"#
                    ),
                    (from: #"deleteAllowed="OWN""#, to: #"deleteAllowed="GROUP""#),
                ]))
        let files = ComparedFiles(old: "old.xml", new: "new.xml")
        try expectGolden(renderAsText(comparison, files: files), file: "parcels-diff.txt")
        try expectGolden(renderAsJSON(comparison, files: files), file: "parcels-diff.json")
        let coloured = renderAsText(comparison, files: files, style: .coloured)
        #expect(coloured.contains("\u{1B}[31mbreaking\u{1B}[0m: "))
        #expect(
            coloured.replacing(/\u{1B}\[\d+m/, with: "") == renderAsText(comparison, files: files))
    }

    @Test(arguments: cases)
    func reportEqualsGoldenFile(example: Case) throws {
        try expectGolden(
            example.render(try Documents.definition(example.document)), file: example.file)
    }
}

func expectGolden(
    _ text: String, file: String, at place: Testing.SourceLocation = #_sourceLocation
) throws {
    let path = "Tests/DefinitionReportsTests/Golden/\(file)"
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
        try Data(text.utf8).write(to: URL(fileURLWithPath: repositoryPath(path)))
    }
    let golden = String(decoding: try bytes(ofFile: path), as: UTF8.self)
    #expect(text == golden, "\(file) differs", sourceLocation: place)
}
