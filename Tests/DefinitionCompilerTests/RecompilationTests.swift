import DefinitionCompiler
import DefinitionModel
import Testing

/// A deployed definition can be read again under stricter rules about its rights and names.
@Suite struct RecompilationTests {
    private static let onlyAboutRights: Set = ["requiredNeverWritable", "neverCreatable"]

    @Test(arguments: Fixtures.names)
    func recompilingFindsErrorsByItself(fixture: String) throws {
        let source = try Fixtures.source(fixture)
        let first = compile(source)
        let again = recompile(source, within: CompilerLimits())
        let errors = Set(first.diagnostics.filter { $0.severity == .error }.map(\.id))
        #expect((again.definition != nil) == errors.isSubset(of: Self.onlyAboutRights))
        #expect(first.definition == nil || again.definition == first.definition)
        #expect(Set(again.diagnostics).isSubset(of: first.diagnostics))
    }

    @Test func thereIsFixtureThatOnlyItTakes() throws {
        let taken = try Fixtures.names.filter { name in
            let source = try Fixtures.source(name)
            return compile(source).definition == nil && recompile(source).definition != nil
        }
        #expect(taken.contains("rights-required-never-writable"))
    }
}
