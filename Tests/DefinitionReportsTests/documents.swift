import DefinitionCompiler
import DefinitionModel
import TestKit
import Testing

/// The definitions that these tests read from disk, by name: the examples, and those in `Fixtures`.
enum Documents {
    private static let paths = [
        "Permissions": "Definitions/Permissions/application.xml",
        "Conflicts": "Definitions/Conflicts/application.xml",
        "FieldService": "Definitions/FieldService/application.xml",
        "levels": "Tests/DefinitionReportsTests/Fixtures/levels.xml",
        "parcels": "Tests/DefinitionReportsTests/Fixtures/parcels.xml",
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

/// A document with some of its text replaced; each replaced text must occur. The resulting rights
/// may make little sense.
func edited(_ name: String, _ edits: [(from: String, to: String)]) throws -> Definition {
    var text = String(decoding: try Documents.source(name).bytes, as: UTF8.self)
    for (from, to) in edits {
        try #require(text.contains(from), "there is no '\(from)' to change")
        text = text.replacing(from, with: to)
    }
    let compilation = recompile(SourceFile(name: name, bytes: Array(text.utf8)))
    return try #require(compilation.definition, "\(compilation.diagnostics.map(\.message))")
}
