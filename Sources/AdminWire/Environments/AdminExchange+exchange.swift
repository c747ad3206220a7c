import Administration
import DataExchange
import DefinitionModel
import EnvironmentCopy
import HTTPTypes
import Hummingbird
import JSON
import Logging
import NIOCore
import SyncEngine
import SyncServer

/// Exports, streamed.
extension AdminExchange {
    func exportRecords() async throws -> Response {
        let model = try request.queryValue("model")
        let format = try rowFormat()
        guard format != .csv || model != nil else {
            throw HTTPFailure.parameterIllegal("model", "is missing, as CSV has one model")
        }
        let owner = try request.queryValue("owner")
        let includesDeleted = try request.queryValue("deleted") == "true"
        // A new definition is noticed here: once the answer has begun, it is too late.
        let run = try await serving { environment in
            _ = try await operatorCaller(in: environment)
            let all = environment.definition.models.map(\.name)
            var options = ExportOptions(format: format, models: model.map { [$0] } ?? all)
            options.owner = owner
            options.includesDeleted = includesDeleted
            options.operatorName = actor
            return try ExportRun(options, from: environment.engine)
        }
        try await log(
            target: model ?? "",
            after: .object([
                "format": .string(format.rawValue), "owner": JSONValue(text: owner),
            ]))
        return try streaming(format == .csv ? "text/csv" : "application/jsonl") { write in
            var run = run
            try await run.run(writing: write)
        }
    }

    /// Everything that the environment holds of one person, without hashes.
    func exportUser() async throws -> Response {
        let present = try await environment()
        let text = try context.pathPart("login")
        guard let login = Login.normalized(text) else {
            throw SyncError.account(.loginIllegal(text))
        }
        try await log(target: login)
        try await checkIsKnown(login, in: present.state.id)
        return try streaming("application/jsonl") { write in
            let snapshot = try await desk.store.snapshot()
            var export = PersonalExport(of: login)
            do {
                try await export.run(in: present.state.name, of: snapshot, writing: write)
            } catch {
                await snapshot.close()
                throw error
            }
            await snapshot.close()
        }
    }

    func rowFormat() throws -> RowFormat {
        guard let text = try request.queryValue("format") else { return .jsonl }
        guard let format = RowFormat(rawValue: text) else {
            throw HTTPFailure.parameterIllegal("format", "is neither csv nor jsonl")
        }
        return format
    }

    /// Writes text as it comes. If that fails, the connection is closed, so that the client notices
    /// the incomplete body.
    private func streaming(
        _ type: String,
        _ body: @escaping @Sendable (_ write: (String) async throws -> Void) async throws -> Void
    ) throws -> Response {
        try context.streamAnswer()
        var response = Response.text(
            of: type,
            ResponseBody { writer in
                do {
                    try await body { text in
                        guard !text.isEmpty else { return }
                        try await writer.write(ByteBuffer(string: text))
                        try await context.pace()
                    }
                } catch {
                    context.logger.error("an export failed", metadata: ["cause": "\(error)"])
                    throw error
                }
                try await writer.finish(nil)
            })
        response.headers[.contentDisposition] = "attachment"
        return response
    }
}
