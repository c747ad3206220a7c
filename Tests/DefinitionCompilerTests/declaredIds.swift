import Foundation
import TestKit

/// The ids of all diagnostics: the names of the factory functions in the sources.
var declaredIds: Set<String> {
    get throws {
        let folder = "Sources/DefinitionCompiler/Diagnostics"
        let files = try FileManager.default.contentsOfDirectory(atPath: repositoryPath(folder))
            .filter { $0.hasPrefix("Problem+") }
        let sources = try files.map {
            String(decoding: try bytes(ofFile: "\(folder)/\($0)"), as: UTF8.self)
        }
        let declarations = sources.joined(separator: "\n").matches(of: /\n    static func (\w+)\(/)
        return Set(declarations.map { String($0.output.1) }).subtracting([
            "error", "warning", "note",
        ])
    }
}
