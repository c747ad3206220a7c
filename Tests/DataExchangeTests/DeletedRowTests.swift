import ChangeRules
import DefinitionModel
import EngineKit
import JSON
import SyncEngine
import SyncProtocol
import Testing

@testable import DataExchange

/// Devices that were offline learn of every deletion, whatever the row had.
@Suite("Deleted rows of Azure become deleted records") struct DeletedRowTests {
    private static let naming = RecordNaming(key: Array("key".utf8))
    private static let document: String = {
        func field(
            _ name: String, _ type: String, own: String = "", options: String = ""
        ) -> String {
            Documents.field(
                name, type, required: name == "name", read: "ALL", own: own, options: options)
        }
        let rights = Documents.credentials(resolving: true)
        let length = #"<option name="maxLength">3</option>"#
        return Documents.document(
            .manual,
            models: """
                <model name="list"><fields>\(field("name", "TEXT"))</fields>\(rights)</model>
                <model name="item"><fields>
                \(field("code", "TEXT", own: #"w:unique="true""#, options: length))
                \(field("list", "BELONGS_TO", options: #"<option name="model">list</option>"#))
                </fields>\(rights)</model>
                """)
    }()

    private func bench() async throws -> TestBench {
        try await TestBench.withUsers(Self.document, naming: Self.naming)
    }

    private func imported(
        _ rows: String, in bench: TestBench, isTrial: Bool = false
    ) async throws -> (counts: [Int], problems: [String]) {
        let (summary, problems) = try await bench.imported(rows, .jsonl) {
            $0.source = .azure
            $0.isTrial = isTrial
        }
        return (summary.counts, problems)
    }

    private func stored(
        _ id: String, _ model: String, _ bench: TestBench
    ) async throws -> StoredRecord {
        let guid = try #require(Self.naming.guid(of: id, in: model))
        return try #require(try await bench.stored(guid))
    }

    private static let gone = #""deleted":true}"#
    private static let goneList = #"{"$model":"list","id":"l","name":"n","# + gone + "\n"

    @Test(arguments: [
        // A child of a deleted row, and of one that was never there.
        (goneList + #"{"$model":"item","id":"i","list":"l","# + gone, [0, 0, 2, 0, 0]),
        (#"{"$model":"item","id":"i","list":"l","# + gone, [0, 0, 1, 0, 0]),
        // A live row has the unique value.
        (
            #"{"$model":"item","id":"j","code":"c"}"# + "\n"
                + #"{"$model":"item","id":"i","code":"c","# + gone, [1, 0, 1, 0, 0]
        ),
        (
            #"{"$model":"item","id":"i","code":"c","# + gone + "\n"
                + #"{"$model":"item","id":"j","code":"c"}"#, [1, 0, 1, 0, 0]
        ),
        // A value beyond a limit.
        (#"{"$model":"item","id":"i","code":"long","# + gone, [0, 0, 1, 0, 0]),
        // Tombstones.
        (#"{"$model":"item","id":"i","# + gone, [0, 0, 1, 0, 0]),
    ])
    func deletionIsImported(rows: String, counts: [Int]) async throws {
        let bench = try await bench()
        for isTrial in [true, false] {
            let (found, problems) = try await imported(rows, in: bench, isTrial: isTrial)
            #expect(found == counts && problems.isEmpty, "\(problems), trial: \(isTrial)")
        }
        #expect(try await stored("i", "item", bench).isDeleted)
        #expect(try await imported(rows, in: bench).counts[4] == 0)
    }

    /// A required value is missing, so that the record gets none, and cannot come back.
    @Test func tombstoneNeedsNoRequiredValue() async throws {
        let bench = try await bench()
        let tombstone = #"{"$model":"list","id":"l","# + Self.gone
        for isTrial in [true, false] {
            let (counts, problems) = try await imported(tombstone, in: bench, isTrial: isTrial)
            #expect(counts == [0, 0, 1, 0, 0] && problems.isEmpty, "\(problems)")
        }
        let record = try await stored("l", "list", bench)
        #expect(record.isDeleted && record.fieldsText == "{}")
        #expect(try await restored(record, in: bench) == [.change(.recordDeleted)])
    }

    /// The values are kept for that, and the relation is checked then.
    @Test func deletedChildComesBackWithItsParent() async throws {
        let bench = try await bench()
        let rows = Self.goneList + #"{"$model":"item","id":"i","code":"c","list":"l","# + Self.gone
        _ = try await imported(rows, in: bench)
        let (list, item) = (
            try await stored("l", "list", bench), try await stored("i", "item", bench)
        )
        #expect(
            try await restored(item, in: bench) == [.notFound(guid: list.guid, model: "list")])
        #expect(try await restored(list, in: bench).isEmpty)
        #expect(try await restored(item, in: bench).isEmpty)
        let fields = try await bench.person("a").record(item.guid)?.fields
        #expect(fields?["code"] == "c" && fields?["list"] == .string(list.guid))
    }

    /// The reasons why a record does not come back.
    private func restored(
        _ record: StoredRecord, in bench: TestBench
    ) async throws -> [Cause.Reason] {
        let change = Change(
            id: "restore-\(record.guid)-\(UInt64.random(in: 0...UInt64.max))", action: .restore,
            model: record.model, guid: record.guid, baseRevision: record.revision, fields: [:])
        let outcomes = try await bench.engine.push(
            [change], keepingOutcomesFor: 60, by: try await bench.person("a").caller(),
            at: Instant(milliseconds: 2000)
        ).outcomes
        return outcomes.flatMap(\.causes).map(\.reason)
    }

    /// A value that cannot be read, or has no column, is reported: the definition may be wrong.
    @Test func columnsAreChecked() async throws {
        let bench = try await bench()
        let rows =
            #"{"$model":"item","id":"i","code":7,"# + Self.gone + "\n"
            + #"{"$model":"item","id":"i","colour":"red","# + Self.gone
        #expect(
            try await imported(rows, in: bench).problems
                == ["1:0 code wrongType", "2:0 colour unknownField"])
    }
}
