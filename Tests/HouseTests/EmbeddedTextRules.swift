import Foundation
import Testing

/// The pages of diagnostics, the templates and the examples are embedded by a list in C.
@Suite struct EmbeddedTextRules {
    private static let folders = [
        "Sources/DefinitionCompiler/Pages", "Templates/project", "Templates/swift",
        "Templates/typescript",
    ]

    @Test func everyTextIsEmbeddedOnce() throws {
        let list = Repository.text(of: "Sources/EmbeddedTexts/EmbeddedTexts.c")
        let paths =
            try Self.folders.flatMap { folder in
                try FileManager.default.contentsOfDirectory(
                    atPath: Repository.root.appending(path: folder).path
                ).map { "\(folder)/\($0)" }
            }
            + ["Conflicts", "Dates", "Permissions", "Todo"].map {
                "Definitions/\($0)/application.xml"
            }
        for path in paths {
            #expect(list.ranges(of: "{\"\(path)\", ").count == 1, "\(path)")
            #expect(list.ranges(of: "#embed \"../../\(path)\" suffix(, 0)").count == 1, "\(path)")
        }
        #expect(list.ranges(of: "#embed \"").count == paths.count)
    }
}
