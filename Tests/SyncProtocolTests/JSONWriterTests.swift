import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

@Suite("The byte writer agrees with an encoder")
struct JSONWriterTests {
    private func encoded(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func written(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        body(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func everyScalarOfASCII() throws {
        for value in UInt8(0)...0x7F {
            let text = String(Unicode.Scalar(value))
            #expect(try written { $0.string(text) } == encoded(text), "\(value)")
        }
    }

    /// The writer processes eight bytes at a time, and the rest one by one.
    @Test(arguments: 0..<20) func everyByteOfASCIIAtEveryPlace(place: Int) throws {
        for value in UInt8(0)...0x7F {
            let scalar = String(Unicode.Scalar(value))
            let text = String(repeating: "a", count: place) + scalar + "é\u{7F} b c"
            #expect(try written { $0.string(text) } == encoded(text), "\(value)")
        }
    }

    @Test(arguments: UInt64(0)..<50) func anyText(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<40 {
            let text = String.nasty(using: &random)
            #expect(try written { $0.string(text) } == encoded(text))
        }
    }

    @Test(arguments: UInt64(0)..<50) func anyValue(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<20 {
            let value = JSONValue.random(depth: 4, using: &random)
            let text = written { $0.value(value) }
            #expect(try parseJSON(Array(text.utf8)) == value)
            let decimal = JSONValue.decimal("12.50")
            #expect(try written { $0.value(decimal) } == encoded(decimal))
        }
    }

    @Test(arguments: [.min, -10, -1, 0, 1, 9, 10, 11, .max] as [Int64])
    func everyKindOfInteger(number: Int64) throws {
        #expect(written { $0.integer(number) } == String(number))
    }

    /// Independent of the expected size and of the chunks.
    @Test(arguments: UInt64(0)..<50) func bufferGrowsAsNeeded(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var writer = JSONWriter(expecting: random.number(in: 0...300))
        var expected = ""
        for _ in 0..<40 {
            let text = String(repeating: "é/", count: random.number(in: 0...60))
            switch random.number(in: 0..<3) {
            case 0:
                writer.piece(written: text)
                expected += text
            case 1:
                writer.piece(Array(text.utf8))
                expected += text
            default:
                writer.string(text)
                expected += "\"\(text)\""
            }
        }
        #expect(writer.text == expected)
        #expect(writer.bytes == Array(expected.utf8))
    }

    /// Names in definitions are ASCII; for others, the order may differ.
    @Test(arguments: UInt64(0)..<50) func anyFields(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<20 {
            let names = random.some(of: ["a", "A", "b", "a1", "a10", "a2", "_", "aB", "ab", "Ab"])
            let fields = Dictionary(
                uniqueKeysWithValues: names.map { ($0, JSONValue.string(.nasty(using: &random))) })
            #expect(try written { $0.object(fields) } == encoded(fields))
        }
    }

    @Test(arguments: UInt64(0)..<50) func anyOutcome(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<20 {
            let outcome = OutcomeMessage.random(using: &random)
            #expect(try written { outcome.write(to: &$0) } == encoded(outcome))
            let dropped = DroppedMessage(
                model: .nasty(using: &random), guid: .nasty(using: &random))
            #expect(try written { dropped.write(to: &$0) } == encoded(dropped))
        }
    }
}

extension OutcomeMessage {
    fileprivate static func random(using random: inout SplitMix64) -> OutcomeMessage {
        func number() -> Int64? { random.flip() ? .nasty(using: &random) : nil }
        func text() -> String? { random.flip() ? .nasty(using: &random) : nil }
        let causes = (0..<random.number(in: 0...2)).map { _ in
            CauseMessage(
                code: .nasty(using: &random), message: .nasty(using: &random), field: text(),
                argument: text(), line: number().map { Int($0) }, column: number().map { Int($0) })
        }
        return OutcomeMessage(
            id: .nasty(using: &random), outcome: random.one(of: Kind.allCases) ?? .accepted,
            model: .nasty(using: &random), guid: .nasty(using: &random), revision: number(),
            overwrote: number(), causes: random.flip() ? causes : nil)
    }
}
