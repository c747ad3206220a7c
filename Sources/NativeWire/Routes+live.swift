import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NativeCalls
import Notifications
import ServiceLifecycle
import SyncEngine
import SyncProtocol
import SyncServer

/// Notifications as Server-Sent Events.
extension Routes {
    /// Streams the caller's notifications from `Last-Event-ID`, or from now on. The stream ends
    /// with the session, with the connection, and when the server stops.
    @Sendable func live(_ exchange: Exchange) async throws -> Response {
        let request = exchange.request
        _ = try URLQuery(request, names: [])
        // The body would not be read, and the close of the connection would then go unnoticed.
        guard !request.announcesBody else { throw HTTPFailure.bodyUnexpected() }
        let caller = try await exchange.caller()
        let subscription = try exchange.host.streams.enter(caller.login, in: exchange.environment)
        // After subscribing, so that no notification is missed in between.
        let start = try await exchange.environment.notifications.position(
            of: lastEventID(of: request))
        return .text(
            of: "text/event-stream",
            ResponseBody { writer in
                var state = StreamState(subscription: subscription, position: start)
                try await ending(subscription, with: exchange) {
                    try await sendEvents(&state, exchange, &writer)
                }
            })
    }

    /// Ends the subscription with its connection and with the server. A client that does not read
    /// cannot delay the shutdown.
    private func ending(
        _ subscription: LiveSubscription, with exchange: Exchange,
        _ operation: () async throws -> Void
    ) async throws {
        let heartbeat = exchange.context.repeating(every: heartbeatSeconds) {
            subscription.signal()
        }
        defer { heartbeat.cancel() }
        try await withGracefulShutdownHandler {
            try await exchange.request.body.consumeWithInboundCloseHandler { _ in
                try await operation()
            } onInboundClosed: {
                subscription.end()
            }
        } onGracefulShutdown: {
            subscription.end()
            exchange.context.close(afterSeconds: Self.stopSeconds)
        }
    }

    private func sendEvents(
        _ state: inout StreamState, _ exchange: Exchange,
        _ writer: inout any ResponseBodyWriter
    ) async throws {
        let notifications = exchange.environment.notifications
        // Sends the position first, so that a client without notifications can resume too.
        try await write(
            try Event.position(state, notifications), to: &writer, exchange.context)
        state.subscription.signal()
        for await _ in state.subscription.signals {
            do {
                try await sendNotifications(&state, exchange, &writer)
            } catch let error as SyncError {
                log(error, exchange.context)
                break
            }
            if state.lastWritten.duration(to: .now) >= .seconds(heartbeatSeconds) / 2 {
                state.lastWritten = .now
                try await write(
                    try Event.heartbeat(state, notifications), to: &writer, exchange.context)
            }
        }
        try await writer.finish(nil)
    }

    /// Throws when the caller's session has ended or its role no longer exists.
    private func sendNotifications(
        _ state: inout StreamState, _ exchange: Exchange,
        _ writer: inout any ResponseBodyWriter
    ) async throws {
        var hasMore = true
        while hasMore {
            let position = state.position
            let page = try await exchange.repeating { exchange in
                try await exchange.environment.notifications.heard(
                    after: position, by: try await exchange.caller())
            }
            for heard in page.notifications {
                state.lastWritten = .now
                try await write(Event.notification(heard), to: &writer, exchange.context)
            }
            state.position = page.position
            hasMore = page.hasMore
        }
    }

    private func write(
        _ text: String, to writer: inout any ResponseBodyWriter, _ context: ConnectionContext
    ) async throws {
        try await writer.write(ByteBuffer(string: text))
        try await context.pace()
    }

    /// The end of a session is not an error.
    private func log(_ error: SyncError, _ context: ConnectionContext) {
        if case .signIn = error { return }
        context.logger.error("a live stream failed", metadata: ["cause": "\(error)"])
    }

    private static let stopSeconds = 2
}

/// The state of an open stream.
private struct StreamState {
    let subscription: LiveSubscription
    var position: ListeningPosition
    var lastWritten = ContinuousClock.now
}

/// Events in text form.
private enum Event {
    static func notification(_ heard: HeardNotification) -> String {
        let text = NotificationMessage(heard.notification).text
        return "id: \(heard.token)\nevent: notification\ndata: \(text)\n\n"
    }

    /// Not visible to the app: it only updates the client's last event id.
    static func position(
        _ state: StreamState, _ engine: NotificationEngine
    ) throws -> String {
        "id: \(try engine.token(of: state.position))\n\n"
    }

    /// Shows clients and proxies that the connection is alive.
    static func heartbeat(_ state: StreamState, _ engine: NotificationEngine) throws -> String {
        ":\n" + (try position(state, engine))
    }
}

extension Request {
    fileprivate var announcesBody: Bool {
        headers[.transferEncoding] != nil || (headers[.contentLength] ?? "0") != "0"
    }
}

/// The last event that a reconnecting `EventSource` received.
private func lastEventID(of request: Request) -> String? {
    HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
}
