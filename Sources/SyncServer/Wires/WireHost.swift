package import Hummingbird
package import SyncEngine

/// The environments that every wire of a process serves, and the limits that all wires share.
package struct WireHost: Sendable {
    package let environments: Environments
    package let passwords: PasswordGuard
    package let uploads: UploadGuard
    package let bodies: BodyGuard
    package let streams: LiveStreams
    /// The time of day, for what people read and for the ends of sessions.
    package let now: @Sendable () -> Instant

    /// Throws `environmentUnknown` when the database has no environment of that name.
    package func environment(named name: String) async throws -> ServedEnvironment {
        guard let environment = try await environments.named(name) else {
            throw HTTPFailure.environmentUnknown(name)
        }
        return environment
    }

    /// Answers a request in an environment. When another definition is deployed meanwhile, it is
    /// answered again from the start, unless its body was streamed by then.
    package func answer(
        _ request: Request, _ context: ConnectionContext, in environment: ServedEnvironment,
        by answer: (Exchange) async throws -> Response
    ) async throws -> Response {
        let body = ReceivedBody()
        return try await environments.serving(
            environment, repeatingIf: { !body.isStreamed },
            { environment in
                try await answer(
                    Exchange(
                        host: self, request: request, context: context, environment: environment,
                        body: body))
            })
    }
}
