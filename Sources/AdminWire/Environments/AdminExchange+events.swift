import Administration
import HTTPTypes
import Hummingbird
import JSON
import Monitoring
import NIOConcurrencyHelpers
import NIOCore
import ServiceLifecycle
import SyncEngine
import SyncServer

/// Events of an environment as Server-Sent Events, and the metrics of the process.
extension AdminExchange {
    /// Streams events until the session or the connection ends, the environment is removed, or the
    /// server stops. The first two events are the present state.
    func followEvents() async throws -> Response {
        let environment = try await host.environment(
            named: try context.pathPart("environment"))
        let subscription = try host.streams.enter("operator \(actor)", in: environment)
        let commits = environment.engine.commits()
        return eventStream(until: subscription) { writer in
            try await send(commits, &writer, until: subscription)
        }
    }

    /// Answers with Server-Sent Events, which `write` writes until the subscription ends.
    func eventStream(
        until subscription: LiveSubscription,
        by write: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void
    ) -> Response {
        .text(
            of: "text/event-stream",
            ResponseBody { writer in
                try await ending(subscription) { try await write(&writer) }
            })
    }

    func showMetrics() async throws -> Response {
        guard let metrics = desk.metrics else { throw HTTPFailure.metricsOff() }
        return .text(
            of: "text/plain; version=0.0.4; charset=utf-8",
            ResponseBody(byteBuffer: ByteBuffer(string: await metrics.text())))
    }

    /// Ends the subscription with its connection and with the server.
    private func ending(
        _ subscription: LiveSubscription, _ operation: () async throws -> Void
    ) async throws {
        let pulse = context.repeating(every: AdministrationLimits.pulseSeconds) {
            subscription.signal()
        }
        defer { pulse.cancel() }
        try await withGracefulShutdownHandler {
            try await request.body.consumeWithInboundCloseHandler { _ in
                try await operation()
            } onInboundClosed: {
                subscription.end()
            }
        } onGracefulShutdown: {
            subscription.end()
            context.close(afterSeconds: Self.stopSeconds)
        }
    }

    /// Sends an event for each commit, or for several at once to a slow reader.
    private func send(
        _ commits: AsyncStream<Int64>, _ writer: inout any ResponseBodyWriter,
        until subscription: LiveSubscription
    ) async throws {
        let sequence = NIOLockedValueBox<Int64>(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await last in commits {
                    sequence.withLockedValue { $0 = max($0, last) }
                    subscription.signal()
                }
            }
            var told = ToldState()
            subscription.signal()
            for await _ in subscription.signals {
                guard let text = try await events(since: &told, sequence) else { break }
                try await writer.write(ByteBuffer(string: text))
                try await context.pace()
            }
            group.cancelAll()
        }
        try await writer.finish(nil)
    }

    /// The text of what is new, a comment if nothing is; nil at the end. Asks the database whether
    /// the caller may still listen, and for deployments, once in a while.
    private func events(
        since told: inout ToldState, _ sequence: NIOLockedValueBox<Int64>
    ) async throws -> String? {
        var text = ""
        if told.checkedAt.map({ $0.duration(to: .now) >= Self.checkInterval }) ?? true {
            told.checkedAt = .now
            let name = try context.pathPart("environment")
            guard try await mayListen(in: name),
                let present = try await environment(named: name)
            else { return nil }
            sequence.withLockedValue { $0 = max($0, present.state.sequence) }
            if told.deployment != present.state.deployment {
                told.deployment = present.state.deployment
                text += event("deployment", ["deployment": .integer(present.state.deployment)])
            }
        }
        let last = sequence.withLockedValue { $0 }
        if told.sequence != last {
            told.sequence = last
            text += event("change", ["sequence": .integer(last)])
        }
        return text.isEmpty ? ":\n\n" : text
    }

    func event(_ name: String, _ members: [String: JSONValue]) -> String {
        "event: \(name)\ndata: \(JSONValue.object(members).text)\n\n"
    }

    /// Whether the session or token is still valid, with its present scope. Listening
    /// does not renew a session, because a page that nobody looks at listens too.
    func mayListen(in environment: String?) async throws -> Bool {
        do {
            let now = host.now()
            let caller = try await Self.identify(request, desk, at: now, renewing: false)
            try route.access.decide(caller, in: environment, at: now)
            return true
        } catch is HTTPFailure {
            return false
        } catch is AdminRefusal {
            return false
        }
    }

    private static let stopSeconds = 2
    private static let checkInterval = Duration.seconds(AdministrationLimits.pulseSeconds) / 2
}

/// The state that a stream of events has told.
private struct ToldState {
    var sequence: Int64?
    var deployment: Int64?
    /// The time at which the database was last asked.
    var checkedAt: ContinuousClock.Instant?
}
