import DefinitionCompiler
import DefinitionModel
import TestKit
import Testing

/// The definitions that these tests read from disk, by name: those that we show to others, and
/// those in `Fixtures`.
enum Documents {
    private static let paths = [
        "Permissions": "Definitions/Permissions/application.xml",
        "Conflicts": "Definitions/Conflicts/application.xml",
        "FieldService": "Definitions/FieldService/application.xml",
        "levels": "Tests/DefinitionReportsTests/Fixtures/levels.xml",
        "clinic": "Tests/DefinitionReportsTests/Fixtures/clinic.xml",
    ]

    static let names = paths.keys.sorted()

    static func source(_ name: String) throws -> SourceFile {
        let path = try #require(paths[name])
        return SourceFile(name: path, bytes: try bytes(ofFile: path))
    }

    static func definition(_ name: String) throws -> Definition {
        try #require(compile(try source(name)).definition)
    }
}
