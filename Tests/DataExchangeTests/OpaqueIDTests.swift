import EngineKit
import JSON
import SyncEngine
import SyncProtocol
import Testing

@testable import DataExchange

@Suite("Imports keep opaque ids") struct OpaqueIDTests {
    private static let naming = RecordNaming(key: Array("one".utf8))

    private func derived(_ id: String, _ model: String) throws -> String {
        try #require(Self.naming.guid(of: id, in: model))
    }

    /// The sheet comes before its folder, and a later row names it again.
    @Test(arguments: [false, true]) func idNamesRecord(isTrial: Bool) async throws {
        let bench = try await TestBench.withUsers(Documents.folders, naming: Self.naming)
        let text = """
            {"$model":"Sheet","$id":"s 1","folder":{"$id":"Mappe é"}}
            {"$model":"Folder","$id":"Mappe é","name":"f"}
            {"$model":"Folder","$id":"Mappe é","name":"g"}
            """
        let (summary, problems) = try await bench.imported(text, .jsonl) { $0.isTrial = isTrial }
        #expect(problems.isEmpty)
        #expect(summary.counts == [2, 1, 0, 0, 0])
        let records = try await bench.person("a").everything()
        guard !isTrial else { return #expect(records.isEmpty) }
        let sheet = try #require(records.first { $0.model == "Sheet" })
        #expect(try sheet.guid == derived("s 1", "Sheet"))
        #expect(try sheet.fields?["folder"] == .string(derived("Mappe é", "Folder")))
        let again = try await bench.imported(text, .jsonl) { $0.name = "again" }
        #expect(again.summary.counts == [0, 2, 0, 1, 0])
    }

    /// In CSV, a value that is no guid is an opaque id.
    @Test func relationOfColumnIsOpaqueID() async throws {
        let bench = try await TestBench.withUsers(Documents.folders, naming: Self.naming)
        let folders = "$id,name\nf1,one\n\(guid(7)),two\n"
        #expect(
            try await bench.imported(folders) { $0.model = "Folder" }.summary.created == 2)
        let sheets = "$id,folder\ns1,f1\ns2,\(guid(7))\ns3,none\n"
        let (summary, problems) = try await bench.imported(sheets) { $0.model = "Sheet" }
        #expect(summary.created == 2 && problems == ["4:2 folder notFound"])
        let records = try await bench.person("a").everything().filter { $0.model == "Sheet" }
        let related = Set(records.map { $0.fields?["folder"] })
        #expect(try related == [.string(derived("f1", "Folder")), .string(guid(7))])
    }

    /// One table has the ids of another.
    @Test(arguments: [false, true]) func sameUUIDIsNameInOtherModel(isTrial: Bool) async throws {
        let bench = try await TestBench.withUsers(Documents.folders, naming: Self.naming)
        let id = guid(5)
        let text = """
            {"$model":"Folder","$id":"\(id)","name":"f"}
            {"$model":"Sheet","$id":"\(id)","folder":{"$id":"\(id)"}}
            """
        let (summary, problems) = try await bench.imported(text, .jsonl) { $0.isTrial = isTrial }
        #expect(problems.isEmpty && summary.created == 2)
        guard !isTrial else { return }
        let guids = Set(try await bench.person("a").everything().map(\.guid))
        #expect(try guids == [id, derived(id, "Sheet")])
    }

    @Test(arguments: [
        (#"{"$id":"","name":"f"}"#, "1:0 $id illegalID"),
        (#"{"$id":["x"],"name":"f"}"#, "1:0 $id illegalID"),
        (
            "{\"$id\":\"\(String(repeating: "x", count: 256))\",\"name\":\"f\"}",
            "1:0 $id illegalID"
        ),
        (#"{"$model":"Sheet","folder":{"$id":""}}"#, "1:0 folder wrongType"),
        (#"{"$model":"Sheet","folder":{"$id":"x","y":1}}"#, "1:0 folder wrongType"),
    ])
    func illegalIDIsReported(row: String, problem: String) async throws {
        let bench = try await TestBench.withUsers(Documents.folders, naming: Self.naming)
        let (summary, problems) = try await bench.imported(row, .jsonl) {
            $0.model = row.contains("Sheet") ? nil : "Folder"
        }
        #expect(problems == [problem] && summary.refused == 1)
    }

    /// Another environment derives other guids.
    @Test(arguments: RowFormat.allCases) func exportKeepsIDs(format: RowFormat) async throws {
        let origin = try await TestBench.withUsers(Documents.folders, naming: Self.naming)
        let other = RecordNaming(key: Array("two".utf8))
        let copy = try await TestBench.withUsers(Documents.folders, naming: other)
        let rows = """
            {"$model":"Folder","$id":"f,1","name":"f"}
            {"$model":"Folder","$guid":"\(guid(3))","name":"g"}
            {"$model":"Sheet","$id":"s1","folder":{"$id":"f,1"},"follows":{"$id":"s1"}}
            {"$model":"Sheet","$id":"s2","folder":"\(guid(3))"}
            """
        _ = try await origin.imported(rows, .jsonl)
        for model in ["Folder", "Sheet"] {
            let text = try await origin.exported(ExportOptions(format: format, models: [model]))
            let (summary, problems) = try await copy.imported(text, format) {
                $0.model = model
                $0.owner = nil
            }
            #expect(problems.isEmpty && summary.created == 2, "\(text)")
            // In the environment itself, it changes nothing.
            let same = try await origin.imported(text, format) { $0.model = model }
            #expect(same.summary.counts == [0, 0, 0, 2, 0])
        }
        let sheets = try await copy.person("a").everything().filter { $0.model == "Sheet" }
        let folder = other.guid(of: "f,1", in: "Folder")
        #expect(
            Set(sheets.map { $0.fields?["folder"] })
                == [folder.map { JSONValue.string($0) }, .string(guid(3))])
        let exported = try await copy.exported(
            ExportOptions(format: .jsonl, models: ["Folder", "Sheet"]))
        #expect(exported.contains(#""$id":"s2""#) && exported.contains(#""folder":{"$id":"f,1"}"#))
        #expect(exported.split(separator: "\n").count { $0.contains(#","$id":"#) } == 3)
    }
}
