import EngineKit
import JSON
import SyncEngine
import SyncProtocol
import Testing

@testable import DataExchange

/// A dry run reports the problems of the import, and no others.
@Suite("Trials find what imports find") struct TrialTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let rows: [String]
        var problems: [String] = []
        /// Created, updated and deleted.
        var counts: [Int]

        var testDescription: String { rows.joined(separator: " ") }
    }

    private static func row(_ number: Int, _ members: String...) -> String {
        "{" + (["\"$guid\":\"\(guid(number))\""] + members).joined(separator: ",") + "}"
    }

    private static let deleted = #""$deleted":true"#

    /// There is a parcel 9 with the code "s".
    private static let parcels = [
        Case(
            rows: [row(1, #""code":"x""#), row(1, #""code":"x""#, #""note":"n""#)],
            counts: [1, 1, 0]),
        Case(
            rows: [row(1, #""code":"x""#), row(1, #""code":"y""#), row(2, #""code":"x""#)],
            counts: [2, 1, 0]),
        Case(
            rows: [row(1, #""code":"x""#), row(1, #""code":null"#), row(2, #""code":"x""#)],
            counts: [2, 1, 0]),
        Case(
            rows: [row(1, #""code":"x""#), row(2, #""code":"x""#)],
            problems: ["2:0 code notUnique"], counts: [1, 0, 0]),
        Case(
            rows: [row(1, #""code":"x""#), row(1, #""code":"y""#), row(2, #""code":"y""#)],
            problems: ["3:0 code notUnique"], counts: [1, 1, 0]),
        Case(
            rows: [row(1, #""code":"x""#), row(1, deleted), row(2, #""code":"x""#)],
            counts: [2, 0, 1]),
        Case(
            rows: [row(1, #""code":"x""#), row(1, deleted), row(1, deleted), row(1)],
            problems: ["4:0 - guidTaken"], counts: [1, 0, 1]),
        Case(
            rows: [row(2, #""code":"s""#)], problems: ["1:0 code notUnique"], counts: [0, 0, 0]),
        Case(
            rows: [row(9, #""code":"t""#), row(2, #""code":"s""#), row(3, #""code":"t""#)],
            problems: ["3:0 code notUnique"], counts: [1, 1, 0]),
        Case(rows: [row(9, deleted), row(2, #""code":"s""#)], counts: [1, 0, 1]),
        Case(
            rows: [row(9, deleted), row(9, #""code":"z""#)], problems: ["2:0 - guidTaken"],
            counts: [0, 0, 1]),
        Case(
            rows: [row(1, #""shelf":"\#(guid(4))""#), row(1, #""note":"n""#)],
            problems: ["1:0 shelf notFound"], counts: [1, 0, 0]),
    ]

    @Test(arguments: parcels, [1, 1 << 20])
    func uniqueValuesAreThoseOfRecords(sample: Case, batchBytes: Int) async throws {
        for isTrial in [true, false] {
            let bench = try await TestBench.withUsers(Documents.parcels())
            _ = try await bench.person("a").push(
                create(9, model: "Parcel", ["code": "s"]))
            let text = sample.rows.joined(separator: "\n")
            let (summary, problems) = try await bench.imported(text, .jsonl) {
                $0.model = "Parcel"
                $0.isTrial = isTrial
                $0.limits.batchBytes = batchBytes
            }
            #expect(problems == sample.problems, "trial: \(isTrial)")
            #expect(Array(summary.counts.prefix(3)) == sample.counts, "trial: \(isTrial)")
        }
    }

    /// A later row of a record needs neither its owner nor its required values.
    @Test(arguments: [false, true]) func laterRowUpdates(isTrial: Bool) async throws {
        let bench = try await TestBench.withUsers(Documents.notes())
        let text = """
            {"$guid":"\(guid(1))","$owner":"a","title":"t"}
            {"$guid":"\(guid(1))","score":2}
            {"$guid":"\(guid(1))","score":9}
            {"$guid":"\(guid(1))","title":null}
            {"$guid":"\(guid(2))","score":2}
            """
        let (summary, problems) = try await bench.imported(text, .jsonl) {
            $0.model = "Note"
            $0.owner = nil
            $0.isTrial = isTrial
        }
        #expect(
            problems.sorted() == [
                "3:0 score lessThanOrEqualTo", "4:0 title empty", "5:0 - ownerMissing",
            ])
        #expect(summary.counts == [1, 1, 0, 0, 3])
    }

    /// A record of another model has the guid.
    @Test(arguments: [false, true]) func guidOfOtherModelIsTaken(isTrial: Bool) async throws {
        let bench = try await TestBench.withUsers(Documents.parcels())
        let text = """
            {"$model":"Parcel","$guid":"\(guid(1))"}
            {"$model":"Shelf","$guid":"\(guid(1))"}
            """
        let (summary, problems) = try await bench.imported(text, .jsonl) { $0.isTrial = isTrial }
        #expect(problems == ["2:0 - guidTaken"] && summary.created == 1)
    }
}
