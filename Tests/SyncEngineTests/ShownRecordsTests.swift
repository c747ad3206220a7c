import ChangeRules
import Foundation
import JSON
import NativeCalls
import SyncProtocol
import Testing

@testable import SyncEngine

@Suite("Visible records of several pages form one list")
struct ShownRecordsTests {
    private func record(_ number: Int) -> StoredRecord {
        StoredRecord(
            guid: "g\(number)", model: "Model", owner: "o\(number % 2)", group: "group",
            revision: Int64(number), isDeleted: number % 3 == 2, isConflicted: number % 3 == 1,
            fieldsText: #"{"a":\#(number),"b":"text"}"#)
    }

    private func page(_ numbers: Range<Int>) -> PageRecords {
        let past = RecordPast(created: 1, lastChanged: 1, ownershipChanges: [])
        return PageRecords(numbers.map(record), numbers.map { _ in past })
    }

    /// A later page may drop any of the six records, which gives 64 cases.
    @Test(arguments: 0..<64) func withoutThoseThatAreDropped(dropped: Int) throws {
        let numbers = 0..<6
        var shown = ShownRecords()
        for start in [0, 2, 4] {
            shown.begin(page(start..<start + 2))
            for place in 0..<2 {
                shown.begin(FieldSelection(place == 0 ? ["a", "b"] : ["a"]))
                shown.show(place, conflicts: (start + place) % 3 == 1 ? [] : nil)
            }
        }
        for number in numbers where dropped & 1 << number != 0 {
            shown.removeAll(of: "g\(number)")
        }
        let left = numbers.filter { dropped & 1 << $0 == 0 }
        let messages = try shown.views().map(RecordMessage.init)
        #expect(messages.map(\.guid) == left.map { "g\($0)" } && shown.count == left.count)
        for (message, number) in zip(messages, left) {
            #expect(message.fields?.count == (number % 3 == 2 ? nil : number % 2 == 0 ? 2 : 1))
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var writer = JSONWriter()
        writer.piece("[")
        try NativeRecordEncoder().write(shown, to: &writer)
        writer.piece("]")
        #expect(try writer.text == String(decoding: encoder.encode(messages), as: UTF8.self))
    }

    /// A page without visible records is not kept.
    @Test func pagesWithoutVisibleRecordsAreNotKept() throws {
        var shown = ShownRecords()
        shown.begin(page(0..<2))
        shown.begin(page(2..<4))
        shown.begin(FieldSelection(["a"]))
        shown.show(1, conflicts: nil)
        shown.begin(page(4..<6))
        #expect(try shown.views().map(\.guid) == ["g3"])
        #expect(shown.expectedBytes == page(2..<4).textBytes + 400)
    }
}
