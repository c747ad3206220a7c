import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

@testable import SyncEngine

@Suite("Visible fields are cut out of the stored text")
struct FieldSelectionTests {
    private func written(
        _ names: [String], of text: String
    ) throws -> [String: JSONValue] {
        var writer = JSONWriter()
        try FieldSelection(names).write(text: text, to: &writer)
        return try JSONText.fields(String(decoding: writer.bytes, as: UTF8.self))
    }

    @Test(arguments: [
        (["a"], #"{"a":1,"b":2}"#, #"{"a":1}"#), (["b"], #"{"a":1,"b":2}"#, #"{"b":2}"#),
        (["b", "a"], #"{"a":1,"b":2}"#, #"{"a":1,"b":2}"#),
        (
            ["a", "b", "c"], #"{"b":[{"a":"}"}],"a":"\"a\":1,"}"#,
            #"{"a":"\"a\":1,","b":[{"a":"}"}],"c":null}"#
        ),
        (["a"], "{}", #"{"a":null}"#), ([], #"{"a":1}"#, "{}"),
        (["a"], #"{"aa":1,"A":2,"b":{"a":3}}"#, #"{"a":null}"#),
        (["a"], #"{"a":"\\"}"#, #"{"a":"\\"}"#),
    ])
    func fieldsAreFoundByTheirWholeNames(names: [String], text: String, expected: String) throws {
        var writer = JSONWriter()
        try FieldSelection(names).write(text: text, to: &writer)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
    }

    /// Compared with an implementation that parses everything.
    @Test(arguments: UInt64(0)..<100) func randomSelectionsAgreeWithParsing(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let all = (0..<8).map { "field\($0)" }
        var fields: [String: JSONValue] = [:]
        for name in all where random.flip() { fields[name] = value(using: &random) }
        let text = try JSONText.encode(fields)
        let names = random.some(of: all)
        #expect(try written(names, of: text) == FieldSelection(names).values(in: text))
    }

    /// The text has all fields and no other, or more; a damaged one is refused.
    @Test(arguments: UInt64(0)..<100) func valuesAreFoundAsByParsing(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let all = (0..<8).map { "field\($0)" }
        var fields: [String: JSONValue] = [:]
        for name in all where random.flip() { fields[name] = value(using: &random) }
        let selection = FieldSelection(random.some(of: all))
        var text = try JSONText.encode(fields)
        let expected = try selection.values(in: text)
        try text.withUTF8 { utf8 in
            try selection.withValues(in: utf8) { stored in
                for (index, name) in selection.names.enumerated() {
                    let found = stored[index].flatMap { try? parseJSON(Array($0)) }
                    #expect(found ?? .null == expected[name])
                }
            }
        }
        var damaged = String(text.dropLast(2))
        #expect(throws: StoreError.self) {
            try damaged.withUTF8 { utf8 in try selection.withValues(in: utf8) { _ in } }
        }
    }

    private func value(using random: inout SplitMix64) -> JSONValue {
        let texts = ["", "}", "\"", "\\", ",\"field1\":1", "{", "]", "é\u{0}", "\u{2028}"]
        return switch random.number(in: 0..<5) {
        case 0: .integer(Int64(random.number(in: -5...5)))
        case 1: .boolean(random.flip())
        case 2: .object(["guid": .string(random.one(of: texts) ?? ""), "field2": .null])
        case 3: .array([.string(random.one(of: texts) ?? ""), .integer(1)])
        default: .string(random.one(of: texts) ?? "")
        }
    }

    /// Damaged text is rejected or is still an object; nothing crashes.
    @Test(arguments: UInt64(0)..<100) func damagedTextCrashesNothing(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var bytes = Array(#"{"field1":"a\"b","field2":[1,{"x":"y"}],"field3":{"guid":"g"}}"#.utf8)
        for _ in 0..<40 {
            let place = random.number(in: 0..<bytes.count)
            if random.flip() {
                bytes[place] = random.one(of: Array("{}[]\",:\\a".utf8)) ?? 0
            } else if bytes.count > 1 {
                bytes.remove(at: place)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            var writer = JSONWriter()
            let isObject = (try? JSONText.fields(text)) != nil
            do throws(StoreError) {
                try FieldSelection(["field1", "field2"]).write(text: text, to: &writer)
            } catch {
                #expect(!isObject, "\(text)")
            }
        }
    }

    @Test(arguments: ["", "{", "}", "[]", "1", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{\"a"])
    func otherTextsAreRefused(text: String) {
        var writer = JSONWriter()
        #expect(throws: StoreError.unreadable("stored fields are no JSON object")) {
            try FieldSelection(["a"]).write(text: text, to: &writer)
        }
    }
}

extension FieldSelection {
    fileprivate func write(text: String, to writer: inout JSONWriter) throws(StoreError) {
        try Array(text.utf8).withUnsafeBufferPointer { bytes throws(StoreError) in
            try write(bytes, to: &writer)
        }
    }
}
