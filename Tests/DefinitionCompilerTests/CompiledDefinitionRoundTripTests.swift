import DefinitionCompiler
import DefinitionModel
import Foundation
import SyncProtocol
import Testing

/// A definition decoded from compiled JSON equals the compiled one.
@Suite struct CompiledDefinitionRoundTripTests {
    static let documents =
        Fixtures.originals.map { "originals/\($0)" }
        + Fixtures.names.filter { name in
            let source = try? Fixtures.source(name)
            return source.flatMap { compile($0).definition } != nil
        }

    @Test(arguments: documents)
    func bringsBackDefinition(name: String) throws {
        let definition = try #require(try Self.definition(name))
        let compiled = CompiledDefinition(definition)
        let read = try CompiledDefinition(json: compiled.canonicalJSON())
        #expect(read == compiled)
        #expect(try read.definition() == definition)
    }

    @Test(arguments: documents)
    func isInCompactFormWhatEncoderWrites(name: String) throws {
        let compiled = CompiledDefinition(try #require(try Self.definition(name)))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(Array(compiled.compactJSON().utf8) == Array(try encoder.encode(compiled)))
    }

    @Test(arguments: documents)
    func isTheSameBytesEachTime(name: String) throws {
        let first = CompiledDefinition(try #require(try Self.definition(name)))
        let second = CompiledDefinition(try #require(try Self.definition(name)))
        #expect(try first.canonicalJSON() == second.canonicalJSON())
        let read = try CompiledDefinition(json: first.canonicalJSON())
        #expect(try read.canonicalJSON() == first.canonicalJSON())
    }

    @Test(arguments: [
        ("name=\"price\" type=\"DECIMAL\"", "type=\"DECIMAL\" name=\"price\""),
        (
            "vendor=\"acme\" conflictMode=\"DISCARD\"", "conflictMode=\"DISCARD\" vendor=\"acme\""
        ),
        ("<role device=\"mobile\" group=\"users\"/>", "<role group=\"users\" device=\"mobile\"/>"),
    ])
    func isTheSameBytesForOtherOrdersOfAttributes(part: String, other: String) throws {
        let text = String(decoding: try Fixtures.source("valid-everything").bytes, as: UTF8.self)
        let changed = text.replacing(part, with: other)
        #expect(changed != text)
        #expect(try Self.json(text) == Self.json(changed))
    }

    /// Sections of leaf elements change their order; models and their contents keep it.
    @Test func isTheSameBytesForOtherOrdersOfSections() throws {
        let text = String(decoding: try Fixtures.source("valid-everything").bytes, as: UTF8.self)
        let groups = "<groups><group name=\"users\"/><group name=\"chiefs\"/></groups>"
        let devices = "<devices><device name=\"mobile\"/><device name=\"web\"/></devices>"
        let changed = text.replacing("  \(groups)\n  \(devices)", with: "\(devices) \(groups)")
        #expect(changed != text)
        #expect(try Self.json(text) == Self.json(changed))
    }

    private static func definition(_ name: String) throws -> Definition? {
        let original = name.split(separator: "/").last.map(String.init) ?? name
        let source =
            name.hasPrefix("originals/")
            ? try Fixtures.original(original) : try Fixtures.source(name)
        return compile(source).definition
    }

    private static func json(_ text: String) throws -> [UInt8] {
        try CompiledDefinition(try #require(compile(text: text).definition)).canonicalJSON()
    }
}
