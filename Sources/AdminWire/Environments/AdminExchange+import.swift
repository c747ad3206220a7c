import Administration
import DataExchange
import HTTPTypes
import Hummingbird
import JSON
import Logging
import NIOCore
import Secrets
import SyncEngine
import SyncServer

/// Import of records, streamed.
extension AdminExchange {
    /// Imports the rows of the body as they arrive. Rows that took effect stay if the connection
    /// breaks off; the same import is then sent again.
    func importRecords() async throws -> Response {
        let options = try importOptions()
        try await log(
            target: options.model ?? "",
            after: .object([
                "name": .string(options.name), "dryRun": .boolean(options.isTrial),
            ]))
        let environment = try await host.environment(
            named: try context.pathPart("environment"))
        guard try request.queryValue("progress") == "true" else {
            return .json(.object(try await importRows(options, into: environment) { _, _ in }))
        }
        return try tellingImport(options, into: environment)
    }

    private func importOptions() throws -> ImportOptions {
        var options = ImportOptions(format: try rowFormat())
        options.source = try rowSource()
        guard options.source.exports(options.format) else {
            throw HTTPFailure.parameterIllegal("format", "is csv, but Parse exports JSON")
        }
        options.model = try request.queryValue("model")
        guard options.format != .csv || options.model != nil else {
            throw HTTPFailure.parameterIllegal("model", "is missing, as CSV has one model")
        }
        options.owner = try request.queryValue("owner")
        options.idField = try request.queryValue("idField")
        options.name = try importName()
        options.operatorName = actor
        options.isTrial = try request.queryValue("dryRun") == "true"
        return options
    }

    /// The name of the request, or a new one: no import has rows of another by chance.
    private func importName() throws -> String {
        guard let name = try request.queryValue("name"), !name.isEmpty else { return freshGuid() }
        return name
    }

    private func rowSource() throws -> RowSource {
        guard let text = try request.queryValue("from") else { return .waggle }
        guard let source = RowSource(rawValue: text) else {
            throw HTTPFailure.parameterIllegal("from", "is neither waggle, azure nor parse")
        }
        return source
    }

    /// Returns the members of the summary, with the first problems. `tell` gets the numbers so far
    /// after each chunk, and the problems that were found since.
    private func importRows(
        _ options: ImportOptions, into environment: ServedEnvironment,
        telling tell: (ImportSummary, [RowProblem]) async throws -> Void
    ) async throws -> [String: JSONValue] {
        try await host.answer(request, context, in: environment) { exchange in
            // A new definition is noticed here: the body is read once.
            _ = try await operatorCaller(in: exchange.environment)
            var (problems, untold): ([RowProblem], [RowProblem]) = ([], [])
            var run = try ImportRun(options, into: exchange.engine, at: now) { problem in
                if problems.count < AdministrationLimits.importProblems {
                    problems.append(problem)
                }
                untold.append(problem)
            }
            var isReading = true
            try await exchange.streamBody { chunk in
                // After a wrong header nothing is read.
                guard isReading else { return }
                isReading = try await run.read(chunk)
                try await tell(run.summary, untold)
                untold = []
            }
            if isReading {
                try await run.finish()
                try await tell(run.summary, untold)
            }
            if let problem = run.headerProblem { throw HTTPFailure.headerFaulty(problem) }
            return run.summary.members(problems, of: options)
        }
    }
}

extension HTTPFailure {
    fileprivate static func headerFaulty(_ problem: RowProblem) -> HTTPFailure {
        let column = problem.column.map { ", column \($0)" } ?? ""
        return HTTPFailure(
            .unprocessableContent, "headerFaulty",
            "the header is wrong: line \(problem.line)\(column): \(problem.message)",
            help: "correct the header, and send the file again; nothing was imported",
            details: problem.field.map { ["field": $0] } ?? [:])
    }
}

// MARK: - Progress

extension AdminExchange {
    /// Answers with JSON lines while the body arrives: `begin` with the name, `problem` for a row
    /// that is not imported, `progress`, at most once a second, and `end` with the summary, or
    /// `failed` with the error.
    private func tellingImport(
        _ options: ImportOptions, into environment: ServedEnvironment
    ) throws -> Response {
        try context.streamAnswer()
        return .text(
            of: "application/jsonl",
            ResponseBody { writer in
                let begin: JSONValue = .object(["kind": "begin", "name": .string(options.name)])
                try await writer.write(ByteBuffer(string: begin.text + "\n"))
                var progress = ImportProgress()
                var last: [String: JSONValue]
                do {
                    last = try await importRows(options, into: environment) { summary, problems in
                        var lines = problems.map(\.toldLine)
                        if let line = progress.line(of: summary, at: .now) { lines.append(line) }
                        guard !lines.isEmpty else { return }
                        let text = lines.map { $0.text + "\n" }.joined()
                        try await writer.write(ByteBuffer(string: text))
                        try await context.pace()
                    }
                    last["kind"] = "end"
                } catch {
                    last = failed(by: HTTPFailure(error, request: request))
                }
                try await writer.write(ByteBuffer(string: JSONValue.object(last).text + "\n"))
                try await writer.finish(nil)
            })
    }

    private func failed(by failure: HTTPFailure) -> [String: JSONValue] {
        if let cause = failure.cause {
            context.logger.error("an import failed", metadata: ["cause": "\(cause)"])
        }
        return [
            "kind": "failed", "status": .integer(Int64(failure.status.code)),
            "code": .string(failure.code), "message": .string(failure.sentence),
            "help": .string(failure.help),
        ]
    }
}

/// Says when the progress of an import is told.
private struct ImportProgress {
    private var rows = 0
    private var next: ContinuousClock.Instant?

    /// Nil if nothing has changed, or the last line is less than a second old.
    mutating func line(
        of summary: ImportSummary, at now: ContinuousClock.Instant
    ) -> JSONValue? {
        guard summary.rows > rows, next.map({ now >= $0 }) ?? true else { return nil }
        rows = summary.rows
        next = now + .seconds(1)
        return .object([
            "kind": "progress", "rows": .integer(Int64(rows)),
            "refused": .integer(Int64(summary.refused)),
        ])
    }
}

extension ImportSummary {
    fileprivate func members(
        _ problems: [RowProblem], of options: ImportOptions
    ) -> [String: JSONValue] {
        [
            "name": .string(options.name), "dryRun": .boolean(options.isTrial),
            "created": .integer(Int64(created)), "updated": .integer(Int64(updated)),
            "deleted": .integer(Int64(deleted)),
            "unchanged": .integer(Int64(unchanged)), "repeated": .integer(Int64(repeated)),
            "refused": .integer(Int64(refused)),
            "leftOut": .object(
                Dictionary(
                    uniqueKeysWithValues: LeftOutValue.allCases.map {
                        ($0.rawValue, .integer(Int64(leftOut[$0] ?? 0)))
                    })),
            "problems": .array(problems.map(\.json)),
        ]
    }
}

extension RowProblem {
    fileprivate var json: JSONValue { .object(members) }

    /// As told while an import runs.
    fileprivate var toldLine: JSONValue { .object(members.merging(["kind": "problem"]) { $1 }) }

    private var members: [String: JSONValue] {
        [
            "line": .integer(Int64(line)),
            "column": column.map { .integer(Int64($0)) } ?? .null,
            "field": JSONValue(text: field), "code": .string(code), "message": .string(message),
        ]
    }
}
