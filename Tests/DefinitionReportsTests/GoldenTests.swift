import DefinitionModel
import DefinitionReports
import Foundation
import TestKit
import Testing

/// What people and programs get to read, whole. `UPDATE_GOLDEN=1` rewrites it.
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

    @Test(arguments: cases)
    func itReads(example: Case) throws {
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
