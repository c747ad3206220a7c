import DefinitionModel
import EngineKit
import JSON
import SyncEngine
import SyncProtocol
import Testing

@testable import DataExchange

@Suite("Exported rows are imported again") struct ExportTests {
    private static let file = JSONValue.object([
        "guid": .string(guid(900)), "filename": "b, \"c\".png",
    ])

    /// Things with values of every type, and with nulls.
    private func things() async throws -> TestBench {
        let bench = try await TestBench.withUsers(Documents.things)
        _ = try await bench.person("a").push(
            create(101, model: "Box", ["name": "left", "size": 5]),
            create(
                1, model: "Thing",
                [
                    "name": "a,\"b\"\r\nc", "note": "", "whole": .integer(.min), "part": 0,
                    "price": "-0.100000000000000000000000000001", "done": .boolean(false),
                    "day": 1_767_225_600_001, "box": .string(guid(101)),
                    "follows": .string(guid(1)), "photo": Self.file, "code": "é🐝",
                    "secret": " s ",
                ]))
        _ = try await bench.person("b").push(create(2, model: "Thing", [:]))
        return bench
    }

    @Test(arguments: RowFormat.allCases) func everyTypeComesBack(format: RowFormat) async throws {
        let origin = try await things()
        let copy = try await TestBench.withUsers(Documents.things)
        for model in ["Box", "Thing"] {
            let text = try await origin.exported(ExportOptions(format: format, models: [model]))
            let (summary, problems) = try await copy.imported(text, format) {
                $0.model = model
                $0.owner = nil
            }
            #expect(problems.isEmpty)
            #expect(summary.created == (model == "Box" ? 1 : 2))
            #expect(
                try await copy.exported(ExportOptions(format: format, models: [model])) == text)
        }
        for login in ["a", "b"] {
            let records = try await copy.person(login).everything()
            let expected = try await origin.person(login).everything()
            #expect(Set(records.map(\.guid)) == Set(expected.map(\.guid)))
            for record in records {
                #expect(record.fields == expected.first { $0.guid == record.guid }?.fields)
            }
        }
    }

    /// So few rows of an import must wait.
    @Test func relatedModelsComeFirst() async throws {
        let text = try await things().exported(
            ExportOptions(format: .jsonl, models: ["Thing", "Box"]))
        let lines = text.split(separator: "\n")
        #expect(lines.map { $0.contains(#""$model":"Box""#) } == [true, false, false])
    }

    @Test func ownersRecordsAreChosen() async throws {
        let bench = try await things()
        var options = ExportOptions(format: .jsonl, models: ["Box", "Thing"])
        options.owner = "b"
        let lines = try await bench.exported(options).split(separator: "\n")
        #expect(lines.count == 1 && lines[0].contains(guid(2)))
    }

    @Test func deletedRecordsAreExportedOnRequest() async throws {
        let bench = try await things()
        _ = try await bench.person("b").push(delete(2, id: "d", base: 1, model: "Thing"))
        var options = ExportOptions(format: .csv, models: ["Thing"])
        #expect(try await !bench.exported(options).contains(guid(2)))
        options.includesDeleted = true
        let lines = try await bench.exported(options).split(separator: "\r\n")
        #expect(lines.contains { $0.hasPrefix("\(guid(2)),,b,users,true,,") })
    }

    /// More records than a page has.
    @Test func pagesFollowEachOther() async throws {
        let bench = try await TestBench.withUsers(Documents.notes())
        let text = "title\n" + (1...2500).map { "\($0)\n" }.joined()
        #expect(
            try await bench.imported(Array(text.utf8), .csv, chunkBytes: 5000) { _ in }
                .summary.created == 2500)
        let lines = try await bench.exported(ExportOptions(format: .jsonl, models: ["Note"]))
            .split(separator: "\n")
        #expect(Set(lines).count == 2500)
    }
}
