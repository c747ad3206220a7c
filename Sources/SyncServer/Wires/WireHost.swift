package import Hummingbird
package import SyncEngine

/// The environments and the limits that all wires of a process share.
package struct WireHost: Sendable {
    package let environments: Environments
    package let passwords: PasswordGuard
    package let uploads: UploadGuard
    package let bodies: BodyGuard
    package let streams: LiveStreams
    package let work: WorkPool
    package let disk: DiskThreads
    package let clients: ClientLog
    /// Counts the codes for which sessions are wanted. Each costs a transaction that writes.
    let signInCodes = RequestAllowance(max: 600)
    /// The wall-clock time, for display and for the expiry of sessions.
    package let now: @Sendable () -> Instant

    /// Throws `environmentUnknown` if the environment does not exist.
    package func environment(named name: String) async throws -> ServedEnvironment {
        guard let environment = try await environments.named(name) else {
            throw HTTPFailure.environmentUnknown(name)
        }
        return environment
    }

    /// The whole body of a request that belongs to no environment. Throws as `Exchange.wholeBody`.
    package func wholeBody(
        of request: Request, _ context: ConnectionContext, upTo maxBytes: Int
    ) async throws -> [UInt8] {
        try await bodies.wholeBody(of: request, upTo: maxBytes, on: context)
    }

    /// Answers a request in an environment. If another definition is deployed meanwhile, starts
    /// again, unless the body was streamed. Throws `environmentUnknown` if it is removed or renamed
    /// meanwhile.
    package func answer<Answer: Sendable>(
        _ request: Request, _ context: ConnectionContext, in environment: ServedEnvironment,
        by handler: (Exchange) async throws -> Answer
    ) async throws -> Answer {
        let body = ReceivedBody()
        do {
            return try await environments.serving(
                environment, repeatingIf: { !body.isStreamed },
                { environment in
                    try await handler(
                        Exchange(
                            host: self, request: request, context: context,
                            environment: environment, body: body))
                })
        } catch SyncError.store(let error) where error == .environmentGone {
            throw HTTPFailure.environmentUnknown(environment.name)
        }
    }
}
