import DefinitionCompiler
import DefinitionModel
import TestKit
import Testing

/// Any bytes yield either a definition or an error, never both or neither.
@Suite struct HostileInputTests {
    @Test(arguments: ["valid-everything", "columns"])
    func endsWithAnswerWhereverItIsCutOff(name: String) throws {
        let bytes = try Fixtures.source(name).bytes
        for length in bytes.indices {
            expectAnAnswer(Array(bytes[..<length]))
        }
    }

    @Test(arguments: UInt64(0)..<300)
    func endsWithAnswerHoweverItIsDamaged(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let names = ["valid-everything", "columns", "doctype-bomb", "encoding-utf16"]
        var bytes = try Fixtures.source(names[Int(seed) % names.count]).bytes
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            damage(&bytes, using: &random)
        }
        expectAnAnswer(bytes)
    }

    @Test(arguments: UInt64(0)..<100)
    func endsWithAnswerForNoise(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        expectAnAnswer((0..<200).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    private func expectAnAnswer(_ bytes: [UInt8]) {
        #expect(brokenInvariants(of: SourceFile(name: "application.xml", bytes: bytes)) == [])
    }

    private func damage(_ bytes: inout [UInt8], using random: inout SplitMix64) {
        guard !bytes.isEmpty else { return }
        let index = Int.random(in: bytes.indices, using: &random)
        let other = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(Self.signs.randomElement(using: &random) ?? 0, at: index)
        case 3: bytes.insert(contentsOf: bytes[other...].prefix(30), at: index)
        case _: bytes.swapAt(index, other)
        }
    }

    private static let signs = Array("<>&\"'/=!?-[]; \r\n\t".utf8) + [0, 0xC3, 0xFF, 0xEF]
}
