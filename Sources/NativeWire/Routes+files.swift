import FileExchange
import HTTPTypes
import Hummingbird
import NIOConcurrencyHelpers
import NativeCalls
import Secrets
import SyncEngine
import SyncProtocol
import SyncServer

/// Uploads and downloads, in chunks: a file is never in memory as a whole.
extension Routes {
    @Sendable func upload(_ exchange: Exchange) async throws -> Response {
        let (environment, uploads) = (exchange.environment, exchange.host.uploads)
        let caller = try await exchange.caller()
        let wanted = try UploadRequest(
            exchange.request, guid: try exchange.parameter("guid"), freshID: freshGuid())
        try uploads.enter(caller.login, in: environment)
        defer { uploads.leave(caller.login, in: environment) }
        switch try await environment.files.begin(wanted, by: caller, at: exchange.now) {
        case .isThere(let state): return try .json(UploadMessage(state))
        case .open(let opened):
            try await receive(exchange, count: wanted.part.count, into: opened)
            // Identifies the caller again, because the upload may take long and the current rights
            // count.
            let state = try await exchange.repeating { exchange in
                try await exchange.environment.files.finish(
                    opened, by: try await exchange.caller(), at: exchange.now)
            }
            return try .json(
                UploadMessage(state), status: state.isComplete ? .created : .accepted)
        }
    }

    @Sendable func uploadState(_ exchange: Exchange) async throws -> Response {
        let caller = try await exchange.caller()
        return try .json(
            UploadMessage(
                try await exchange.environment.files.upload(
                    of: try exchange.parameter("guid"), for: caller)))
    }

    @Sendable func download(_ exchange: Exchange) async throws -> Response {
        let caller = try await exchange.caller()
        let file = try await exchange.environment.files.open(
            try exchange.parameter("guid"), for: caller)
        try exchange.context.streamAnswer()
        var response = try Response(of: file, asked: exchange.request, exchange.context)
        if exchange.request.method == .head { response = response.createHeadResponse() }
        return response
    }

    /// Received bytes are kept even if the rest does not arrive.
    private func receive(
        _ exchange: Exchange, count: Int64, into upload: OpenedUpload
    ) async throws {
        let arrived = NIOLockedValueBox<Int64>(0)
        try await exchange.streamBody { chunk in
            let total = arrived.withLockedValue { arrived in
                arrived += Int64(chunk.count)
                return arrived
            }
            guard total <= count else { throw HTTPFailure.bodyBroken() }
            try await upload.append(chunk)
        }
        guard arrived.withLockedValue({ $0 }) == count else { throw HTTPFailure.bodyBroken() }
    }
}
