import DefinitionCompiler
import Foundation
import TestKit

/// The documents that these tests read from disk.
enum Fixtures {
    static let folder = "Tests/DefinitionCompilerTests/Fixtures"

    /// The folders with an `application.xml` and an `expected.txt` with the rendered diagnostics.
    static let names = subfolders.filter { $0 != "originals" }

    static let originals = ["android-demos", "definition_1", "test2"]

    static func source(_ name: String) throws -> SourceFile {
        let path = "\(folder)/\(name)/application.xml"
        return SourceFile(name: "application.xml", bytes: try bytes(ofFile: path))
    }

    static func original(_ name: String) throws -> SourceFile {
        let path = "\(folder)/originals/\(name).xml"
        return SourceFile(name: "\(name).xml", bytes: try bytes(ofFile: path))
    }

    private static var subfolders: [String] {
        let entries = try? FileManager.default.contentsOfDirectory(atPath: repositoryPath(folder))
        return (entries ?? []).sorted()
    }
}
