import TestKit
import Testing

@testable import SyncEngine

@Suite("A page contains the records that were added")
struct PageRecordsTests {
    private static let texts = ["", "a", "b", "dispatchers", "büro", "\u{0}", "👩‍👩‍👧", "{\"a\":1}"]

    private func record(using random: inout SplitMix64) -> StoredRecord {
        let texts = Self.texts
        return StoredRecord(
            guid: random.one(of: texts) ?? "", model: random.one(of: texts) ?? "",
            owner: random.one(of: texts) ?? "", group: random.one(of: texts) ?? "",
            revision: Int64(random.number(in: 0...3)), isDeleted: random.flip(),
            isConflicted: random.flip(), fieldsText: random.one(of: texts) ?? "")
    }

    private func past(using random: inout SplitMix64) -> RecordPast {
        let ownershipChanges = (0..<random.number(in: 0...2)).map {
            OwnershipChange(sequence: Int64($0), revision: 1, owner: "o", group: "g")
        }
        return RecordPast(
            created: Int64(random.number(in: 0...9)), lastChanged: Int64(random.number(in: 0...9)),
            ownershipChanges: ownershipChanges)
    }

    private func append(
        _ record: StoredRecord, _ past: RecordPast, asReadTo content: inout PageRecords
    ) {
        let texts = [record.guid, record.model, record.owner, record.group, record.fieldsText]
        let bytes = texts.flatMap { Array($0.utf8) }
        bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            let places = texts.map { text in
                defer { start += text.utf8.count }
                return UnsafeBufferPointer(rebasing: bytes[start..<start + text.utf8.count])
            }
            content.append(
                ReadRecord(
                    guid: places[0], model: places[1], owner: places[2], group: places[3],
                    fields: places[4], revision: record.revision, isDeleted: record.isDeleted,
                    isConflicted: record.isConflicted, created: past.created,
                    lastChanged: past.lastChanged),
                ownershipChanges: past.ownershipChanges)
        }
    }

    @Test(arguments: UInt64(0)..<50) func randomRecordsAreReadBack(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let records = (0..<20).map { _ in record(using: &random) }
        let pasts = records.map { _ in past(using: &random) }
        let values = PageRecords(records, pasts)
        var read = PageRecords()
        for (record, past) in zip(records, pasts) { append(record, past, asReadTo: &read) }
        for content in [values, read] {
            #expect((0..<content.count).map { content[$0] } == records)
            #expect((0..<content.count).map(content.past(at:)) == pasts)
        }
        #expect(values == read)
        #expect(values != PageRecords(Array(records.dropLast()), pasts))
        #expect(values != PageRecords(records.reversed(), pasts))
    }

    /// Equal values are stored once if they are neighbours.
    @Test func equalNeighboursShareTheirValues() {
        func bytes(_ owners: [String]) -> Int {
            let records = owners.map {
                StoredRecord(
                    guid: "g", model: "Model", owner: $0, group: "group", revision: 1,
                    isDeleted: false, isConflicted: false, fieldsText: "{}")
            }
            let past = RecordPast(created: 1, lastChanged: 1, ownershipChanges: [])
            return PageRecords(records, records.map { _ in past }).textBytes
        }
        #expect(bytes(["own"]) == 16 && bytes(["own", "own"]) == 19)
        #expect(bytes(["own", "one"]) == 22 && bytes(["own", "one", "own"]) == 28)
    }

    /// A damaged file may contain such text. The output is JSON, which has to be UTF-8.
    @Test func invalidUTF8IsRepaired() {
        let damaged: [UInt8] = [0x61, 0xFF, 0x62]
        var content = PageRecords()
        for _ in 0..<2 {
            damaged.withUnsafeBufferPointer { bytes in
                content.append(
                    ReadRecord(
                        guid: bytes, model: bytes, owner: bytes, group: bytes, fields: bytes,
                        revision: 1, isDeleted: false, isConflicted: false, created: 1,
                        lastChanged: 1),
                    ownershipChanges: [])
            }
        }
        for place in 0..<2 {
            let record = content[place]
            let texts = [
                record.guid, record.model, record.owner, record.group, record.fieldsText,
            ]
            #expect(texts == Array(repeating: "a\u{FFFD}b", count: 5))
        }
        content.withBytes { bytes in
            #expect(String(validating: bytes, as: UTF8.self) != nil)
        }
    }
}
