import EngineKit
import SyncEngine
import UserAccounts

@testable import DataExchange

extension TestBench {
    /// Adds the users "a" and "b".
    static func withUsers(
        _ document: String, naming: RecordNaming? = nil
    ) async throws -> TestBench {
        let bench = try await TestBench(document, naming: naming)
        for login in ["a", "b"] {
            try await bench.accounts.add(
                login: login, group: "users", mail: "", isAdmin: false, passwordHash: "h")
        }
        return bench
    }

    /// Imports a text. Problems are `line:column field code`.
    func imported(
        _ text: String, _ format: RowFormat = .csv, chunkBytes: Int = 7,
        with change: (inout ImportOptions) -> Void = { _ in }
    ) async throws -> (summary: ImportSummary, problems: [String]) {
        try await imported(Array(text.utf8), format, chunkBytes: chunkBytes, with: change)
    }

    func imported(
        _ bytes: [UInt8], _ format: RowFormat, chunkBytes: Int,
        with change: (inout ImportOptions) -> Void
    ) async throws -> (summary: ImportSummary, problems: [String]) {
        var options = ImportOptions(format: format)
        options.owner = "a"
        if format == .csv { options.model = "Note" }
        change(&options)
        var problems: [String] = []
        var run = try ImportRun(
            options, into: engine, at: Instant(milliseconds: 1000)
        ) { problem in
            problems.append(
                "\(problem.line):\(problem.column ?? 0) \(problem.field ?? "-") \(problem.code)")
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            guard try await run.read(Array(rest.prefix(chunkBytes))) else {
                return (run.summary, problems)
            }
            rest = rest.dropFirst(min(chunkBytes, rest.count))
        }
        try await run.finish()
        return (run.summary, problems)
    }

    func exported(_ options: ExportOptions) async throws -> String {
        var text = ""
        var run = try ExportRun(options, from: engine)
        try await run.run { text += $0 }
        return text
    }
}

extension ImportSummary {
    /// Created, updated, deleted, unchanged and refused, without those that were repeated.
    var counts: [Int] { [created, updated, deleted, unchanged, refused] }
}
