import DefinitionCompiler
import DefinitionModel
import TestKit
import Testing

/// A definition printed as XML and compiled again is unchanged, whatever the print style.
@Suite struct PrintedDefinitionTests {
    @Test(arguments: UInt64(0)..<400)
    func compilesToPrintedDefinition(seed: UInt64) throws {
        var random = RandomDefinition(seed: seed)
        let printed = random.next()
        let definition = try #require(compiled(printed, seed: seed))
        #expect(definition.withoutPlaces(digest: "") == printed.withoutPlaces())
    }

    @Test(arguments: UInt64(0)..<100)
    func hasTheSameNamesHoweverItIsPrinted(seed: UInt64) throws {
        var random = RandomDefinition(seed: seed)
        let printed = random.next()
        let first = try #require(compiled(printed, seed: seed))
        let second = try #require(compiled(first, seed: seed &+ 1))
        #expect(first.digest.utf8.count == 64)
        #expect((first.digest, first.fingerprint) == (second.digest, second.fingerprint))
        #expect(first.withoutPlaces() == second.withoutPlaces())
    }

    @Test(arguments: Fixtures.originals)
    func bringsBackOriginals(name: String) throws {
        let original = try #require(compile(Fixtures.original(name)).definition)
        let definition = try #require(compiled(original, seed: 1))
        #expect(definition.withoutPlaces() == original.withoutPlaces())
    }

    /// Nil, with a recorded issue, if there is an error.
    private func compiled(_ definition: Definition, seed: UInt64) -> Definition? {
        var printer = RandomPrinter(seed: seed)
        let source = SourceFile(name: "\(seed).xml", bytes: printer.print(Markup(definition)))
        let compilation = compile(source)
        if compilation.definition == nil {
            Issue.record("\(renderForPeople(compilation, of: source))")
        }
        return compilation.definition
    }
}
