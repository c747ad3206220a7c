import DefinitionCompiler
import DefinitionModel
import Foundation
import SourceGenerator
import TestKit
import Testing

/// One document for each kind of problem, with its rendered diagnostics. `UPDATE_GOLDEN=1` rewrites
/// them.
@Suite struct FixtureTests {
    @Test(arguments: Fixtures.names)
    func hasExpectedDiagnostics(name: String) throws {
        let source = try Fixtures.source(name)
        let rendered = renderForPeople(Self.checked(source), of: source)
        let path = "\(Fixtures.folder)/\(name)/expected.txt"
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            let url = URL(fileURLWithPath: repositoryPath(path))
            try Data(rendered.utf8).write(to: url)
        }
        #expect(rendered == String(decoding: try bytes(ofFile: path), as: UTF8.self))
    }

    @Test(arguments: Fixtures.names)
    func hasDefinitionUnlessThereIsError(name: String) throws {
        let compilation = Self.checked(try Fixtures.source(name))
        let hasErrors = compilation.diagnostics.contains { $0.severity == .error }
        #expect((compilation.definition == nil) == hasErrors)
    }

    @Test(arguments: Fixtures.names)
    func diagnosticsAreInDocumentOrder(name: String) throws {
        let places = Self.checked(try Fixtures.source(name)).diagnostics.map {
            [$0.place.line, $0.place.column]
        }
        #expect(zip(places, places.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) })
    }

    /// Diagnostics that need large or long documents are covered by the tests of limits.
    @Test func showsEveryKindOfDiagnostic() throws {
        let shown = try Fixtures.names.flatMap {
            Self.checked(try Fixtures.source($0)).diagnostics
        }
        let missing = try declaredIds.subtracting(shown.map(\.id))
        #expect(missing == ["documentTooLarge", "tooManyElements", "tooManyProblems"])
    }

    /// Compiles as `waggle check` does.
    private static func checked(_ source: SourceFile) -> Compilation {
        compile(source, naming: Generator.namingRules)
    }
}
