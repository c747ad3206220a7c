import EngineKit
import JSON
import SyncEngine
import SyncProtocol
import Testing

@testable import DataExchange

/// The order of rows does not matter, in an import and in a trial.
@Suite("Rows wait for the records that they need") struct WaitingRowTests {
    private static let folder = #"{"$model":"Folder","$guid":"\#(guid(1))","name":"f"}"#

    private static func sheet(
        _ number: Int, follows other: Int? = nil, folder: Int = 1
    ) -> String {
        let follows = other.map { #","follows":"\#(guid($0))""# } ?? ""
        return #"{"$model":"Sheet","$guid":"\#(guid(number))","folder":"\#(guid(folder))""#
            + follows + "}"
    }

    private func imported(
        _ rows: [String], isTrial: Bool, batchBytes: Int = 1 << 20
    ) async throws -> (summary: ImportSummary, problems: [String]) {
        let bench = try await TestBench.withUsers(Documents.folders)
        return try await bench.imported(
            rows.joined(separator: "\n"), .jsonl, chunkBytes: 1 << 16
        ) {
            $0.isTrial = isTrial
            $0.limits.batchBytes = batchBytes
        }
    }

    private static let chain = (1000..<1500).map { sheet($0, follows: $0 + 1) } + [sheet(1500)]
    private static let mixed = (0..<499).map { number in
        // 7 has no divisor in common with 499, so that each sheet comes once, in wild order.
        let place = 1000 + number * 7 % 499
        return sheet(place, follows: place > 1000 ? place - 1 : nil)
    }

    /// Each row but the last needs another one, over several batches.
    @Test(arguments: [chain + [folder], [folder] + chain.reversed(), mixed + [folder]])
    func relatedRowsComeInAnyOrder(rows: [String]) async throws {
        for isTrial in [true, false] {
            let (summary, problems) = try await imported(rows, isTrial: isTrial)
            #expect(problems.isEmpty, "trial: \(isTrial)")
            #expect(summary.counts == [rows.count, 0, 0, 0, 0], "trial: \(isTrial)")
        }
    }

    /// The rows of a circle are in different batches, also when they are pushed again.
    @Test(arguments: [true, false]) func circlesAreImported(isTrial: Bool) async throws {
        let rows =
            [Self.folder] + (1000..<1199).map { Self.sheet($0, follows: 20) }
            + [Self.sheet(10, follows: 11)] + (2000..<2250).map { Self.sheet($0) }
            + [Self.sheet(11, follows: 10), Self.sheet(20)]
        let (summary, problems) = try await imported(rows, isTrial: isTrial)
        #expect(problems.isEmpty && summary.counts == [rows.count, 0, 0, 0, 0])
    }

    /// A later row of a record waits too, so that its values are the last ones.
    @Test func rowsOfRecordKeepTheirOrder() async throws {
        let bench = try await TestBench.withUsers(Documents.folders)
        let rows = [
            Self.folder, Self.sheet(10, folder: 2), Self.sheet(10),
            Self.folder.replacing(guid(1), with: guid(2)),
        ]
        let (summary, problems) = try await bench.imported(
            rows.joined(separator: "\n"), .jsonl
        ) { $0.limits.batchBytes = 1 }
        #expect(problems.isEmpty && summary.counts == [3, 1, 0, 0, 0])
        let sheet = try await bench.person("a").record(guid(10))
        #expect(sheet?.fields?["folder"] == .string(guid(1)))
    }

    /// The problem of a row is also that of the rows that need it, by its line.
    @Test(arguments: [1, 1 << 20], [true, false])
    func rowsNeedRefusedOnes(batchBytes: Int, isTrial: Bool) async throws {
        let rows = [
            Self.sheet(12, follows: 11), Self.sheet(11, follows: 10), Self.sheet(10, folder: 2),
            Self.sheet(13, follows: 14), Self.sheet(14), Self.folder,
        ]
        let (summary, problems) = try await imported(
            rows, isTrial: isTrial, batchBytes: batchBytes)
        let needing = batchBytes == 1 ? "notFound" : "dependsOnRefused"
        #expect(
            problems == [
                "3:0 folder notFound", "2:0 follows \(needing)", "1:0 follows \(needing)",
            ])
        #expect(summary.counts == [3, 0, 0, 0, 3])
    }

    @Test func messageNamesLineOfRefusedRow() async throws {
        let bench = try await TestBench.withUsers(Documents.folders)
        let rows = [Self.sheet(11, follows: 10), Self.sheet(10, folder: 2), Self.folder]
        #expect(
            try await bench.messages(rows.joined(separator: "\n"), .jsonl).last
                == "'follows' refers to the record of line 2, which was refused")
    }

    @Test(arguments: [true, false]) func messageTellsOfDeletion(isTrial: Bool) async throws {
        let rows = [
            Self.folder, #"{"$model":"Folder","$guid":"\#(guid(1))","$deleted":true}"#,
            Self.sheet(10), Self.sheet(11, folder: 2),
        ]
        let bench = try await TestBench.withUsers(Documents.folders)
        let messages = try await bench.messages(rows.joined(separator: "\n"), .jsonl) {
            $0.isTrial = isTrial
        }
        #expect(
            messages.sorted() == [
                "'folder' refers to a deleted record of 'Folder', name another",
                "'folder' refers to no record of 'Folder', import that one too",
            ])
    }
}
