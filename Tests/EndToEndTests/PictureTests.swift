import Foundation
import TestKit
import Testing

/// The pictures of the documentation show what the tool writes now. `UPDATE_GOLDEN=1` rewrites
/// them.
@Suite(.timeLimit(.minutes(5))) struct PictureTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func diagramOfFieldService() async throws {
        let file = try folder.write(definition("FieldService"), to: "application.xml")
        let drawn = try await Tool.run(["diagram", file], in: folder)
        try compare(drawn.output, with: "field-service-diagram")
    }

    @Test func rightsToFilms() async throws {
        try folder.write(definition("Permissions"), to: "application.xml")
        try await expect("rights application.xml", isPicture: "permissions-rights")
    }

    @Test func consequencesOfChange() async throws {
        let old = try definition("Permissions")
        let new =
            try old
            .changing(
                #"name="director" type="TEXT""#, to: #"name="director" type="TEXT" required="true""#
            )
            .changing(
                "      </fields>",
                to: #"        <field name="year" type="INTEGER"/>"# + "\n      </fields>")
        try folder.write(old, to: "application.xml")
        try folder.write(new, to: "next.xml")
        try await expect("diff application.xml next.xml", isPicture: "permissions-difference")
    }

    private func expect(_ command: String, isPicture name: String) async throws {
        let finished = try await Tool.run(
            command.split(separator: " ").map(String.init), in: folder)
        #expect(finished.exitCode == 0, "\(finished.errors)")
        try compare(terminalPicture(of: finished.output, after: "waggle \(command)"), with: name)
    }

    private func compare(_ drawn: String, with name: String) throws {
        let path = "Sources/Waggle/Documentation.docc/\(name).svg"
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            try Data(drawn.utf8).write(to: URL(filePath: repositoryPath(path)))
        }
        #expect(drawn == String(decoding: try bytes(ofFile: path), as: UTF8.self), "\(name)")
    }
}
