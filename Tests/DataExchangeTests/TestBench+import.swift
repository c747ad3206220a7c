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
        var problems: [String] = []
        let summary = try await summary(of: bytes, format, chunkBytes, with: change) { problem in
            problems.append(
                "\(problem.line):\(problem.column ?? 0) \(problem.field ?? "-") \(problem.code)")
        }
        return (summary, problems)
    }

    /// Imports a text. Returns the problems as sentences for people.
    func messages(
        _ text: String, _ format: RowFormat, with change: (inout ImportOptions) -> Void = { _ in }
    ) async throws -> [String] {
        var messages: [String] = []
        _ = try await summary(of: Array(text.utf8), format, 1 << 16, with: change) {
            messages.append($0.message)
        }
        return messages
    }

    private func summary(
        of bytes: [UInt8], _ format: RowFormat, _ chunkBytes: Int,
        with change: (inout ImportOptions) -> Void, reporting report: @escaping (RowProblem) -> Void
    ) async throws -> ImportSummary {
        var options = ImportOptions(format: format)
        options.owner = "a"
        if format == .csv { options.model = "Note" }
        change(&options)
        var run = try ImportRun(
            options, into: engine, at: Instant(milliseconds: 1000), reporting: report)
        var rest = bytes[...]
        while !rest.isEmpty {
            guard try await run.read(Array(rest.prefix(chunkBytes))) else {
                return run.summary
            }
            rest = rest.dropFirst(min(chunkBytes, rest.count))
        }
        try await run.finish()
        return run.summary
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
