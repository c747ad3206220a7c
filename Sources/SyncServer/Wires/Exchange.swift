package import Hummingbird
package import Logging
import NIOConcurrencyHelpers
package import SyncEngine

/// A request to an environment with its current definition.
package struct Exchange: Sendable {
    package let host: WireHost
    package let request: Request
    package let context: ConnectionContext
    package let environment: ServedEnvironment
    fileprivate let body: ReceivedBody

    init(
        host: WireHost, request: Request, context: ConnectionContext,
        environment: ServedEnvironment, body: ReceivedBody
    ) {
        self.host = host
        self.request = request
        self.context = context
        self.environment = environment
        self.body = body
    }

    package var engine: Engine { environment.engine }
    package var now: Instant { host.now() }
    package var logger: Logger { context.logger }

    /// The whole body. It is read once and then kept. Throws `bodyTooLarge`, `bodyTooSlow`,
    /// `tooManyBytes` or `bodyBroken`.
    package func wholeBody(upTo maxBytes: Int) async throws -> [UInt8] {
        if let bytes = body.bytes { return bytes }
        let bytes = try await host.bodies.wholeBody(of: request, upTo: maxBytes, on: context)
        body.keep(bytes)
        return bytes
    }

    /// The size of the whole body, as far as it was read.
    package var bodyBytes: Int { body.bytes?.count ?? 0 }

    /// Notes that a client was served; see `ClientLog.note`.
    package func note(
        _ caller: Caller, wire: String, fingerprint: String, isGuest: Bool = false
    ) {
        host.clients.note(
            caller, wire: wire, fingerprint: fingerprint, isGuest: isGuest,
            in: engine.environment, at: now)
    }

    /// Runs what can take long on a thread for that: see `WorkPool.compute`.
    package func compute<Value: Sendable>(
        for caller: Caller, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await host.work.compute(for: caller.login, on: context, in: environment, body)
    }

    /// Runs a search when it is the caller's turn: see `WorkPool.search`.
    package func search<Value: Sendable>(
        for caller: Caller, _ body: () async throws -> Value
    ) async throws -> Value {
        try await host.work.search(for: caller.login, on: context, in: environment, body)
    }

    /// Passes the body on in chunks as they arrive, at least 64 KiB in each interval of the host's
    /// limit. A streamed body cannot be read again, so use `repeating` for the work that follows.
    package func streamBody(
        _ taking: ([UInt8]) async throws -> Void
    ) async throws {
        body.stream()
        try await streamChunks(of: request.body, on: context.connection, taking: taking)
    }

    /// A part of the path, such as a guid. Throws `pathIllegal`.
    package func parameter(_ name: String) throws -> String {
        try context.pathPart(name)
    }

    /// Runs `body` in the current environment, and again if another definition is deployed
    /// meanwhile. For work after the request's body was streamed, or while a response is written.
    package func repeating<Value: Sendable>(
        _ body: (Exchange) async throws -> Value
    ) async throws -> Value {
        let present = try await host.environment(named: environment.name)
        return try await host.environments.serving(present) { environment in
            try await body(
                Exchange(
                    host: host, request: request, context: context, environment: environment,
                    body: self.body))
        }
    }
}

/// The state of a request's body, shared by all attempts to answer the request.
final class ReceivedBody: Sendable {
    private enum State {
        case waiting, streamed
        case whole([UInt8])
    }

    private let state = NIOLockedValueBox(State.waiting)

    var bytes: [UInt8]? {
        guard case .whole(let bytes) = state.withLockedValue({ $0 }) else { return nil }
        return bytes
    }

    var isStreamed: Bool {
        guard case .streamed = state.withLockedValue({ $0 }) else { return false }
        return true
    }

    func keep(_ bytes: [UInt8]) { state.withLockedValue { $0 = .whole(bytes) } }
    func stream() { state.withLockedValue { $0 = .streamed } }
}
