import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NativeCalls
import ServiceLifecycle
import SyncEngine
import SyncProtocol
import SyncServer

/// Notifications as they come, as Server-Sent Events.
extension Routes {
    /// A stream of what is for the caller, from where they were, or from now on. It ends when their
    /// session does, when the other end goes, and when the server stops.
    @Sendable func live(_ exchange: Exchange) async throws -> Response {
        let request = exchange.request
        _ = try URLQuery(request, names: [])
        // Nobody reads it, and whoever waits for the other end to close would wait for that.
        guard !request.announcesBody else { throw HTTPFailure.bodyUnexpected() }
        let caller = try await exchange.caller()
        let seat = try exchange.host.streams.enter(caller.login, in: exchange.environment)
        // After the seat is taken, so that nothing falls between the two.
        let start = try await exchange.environment.notifications.position(
            of: lastEventID(of: request))
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream", .cacheControl: "no-store",
                .xContentTypeOptions: "nosniff",
            ],
            body: ResponseBody { writer in
                var listening = Listening(seat: seat, position: start)
                try await ending(seat, with: exchange) {
                    try await tell(&listening, exchange, &writer)
                }
            })
    }

    /// Lets a seat end with its connection, and with the server. Whoever does not take what was
    /// sent keeps no server from stopping.
    private func ending(
        _ seat: LiveSeat, with exchange: Exchange, _ operation: () async throws -> Void
    ) async throws {
        let beat = exchange.context.repeating(every: beatSeconds) { seat.look() }
        defer { beat.cancel() }
        try await withGracefulShutdownHandler {
            try await exchange.request.body.consumeWithInboundCloseHandler { _ in
                try await operation()
            } onInboundClosed: {
                seat.end()
            }
        } onGracefulShutdown: {
            seat.end()
            exchange.context.close(afterSeconds: Self.stopSeconds)
        }
    }

    private func tell(
        _ listening: inout Listening, _ exchange: Exchange,
        _ writer: inout any ResponseBodyWriter
    ) async throws {
        let notifications = exchange.environment.notifications
        // Tells where they are, so that who is told nothing can come back as well.
        try await write(
            try Event.position(listening, notifications), to: &writer, exchange.context)
        listening.seat.look()
        for await _ in listening.seat.occasions {
            do {
                try await tellNews(&listening, exchange, &writer)
            } catch let error as SyncError {
                log(error, exchange.context)
                break
            }
            if listening.lastWritten.duration(to: .now) >= .seconds(beatSeconds) / 2 {
                listening.lastWritten = .now
                try await write(
                    try Event.beat(listening, notifications), to: &writer, exchange.context)
            }
        }
        try await writer.finish(nil)
    }

    /// A caller whose session ended, or who has no role any more, gets no more events.
    private func tellNews(
        _ listening: inout Listening, _ exchange: Exchange,
        _ writer: inout any ResponseBodyWriter
    ) async throws {
        var hasMore = true
        while hasMore {
            let position = listening.position
            let page = try await exchange.repeating { exchange in
                try await exchange.environment.notifications.heard(
                    after: position, by: try await exchange.caller())
            }
            for heard in page.notifications {
                listening.lastWritten = .now
                try await write(Event.notification(heard), to: &writer, exchange.context)
            }
            listening.position = page.position
            hasMore = page.hasMore
        }
    }

    private func write(
        _ text: String, to writer: inout any ResponseBodyWriter, _ context: ConnectionContext
    ) async throws {
        try await writer.write(ByteBuffer(string: text))
        try await context.pace()
    }

    /// The end of a session is nothing that went wrong.
    private func log(_ error: SyncError, _ context: ConnectionContext) {
        if case .signIn = error { return }
        context.logger.error("a live stream failed", metadata: ["cause": "\(error)"])
    }

    private static let stopSeconds = 2
}

/// How far somebody is who listens.
private struct Listening {
    let seat: LiveSeat
    var position: ListeningPosition
    var lastWritten = ContinuousClock.now
}

/// Events as they are written.
private enum Event {
    static func notification(_ heard: HeardNotification) -> String {
        let text = NotificationMessage(heard.notification).text
        return "id: \(heard.token)\nevent: notification\ndata: \(text)\n\n"
    }

    /// No event for the app: it only moves the id that the client comes back with.
    static func position(
        _ listening: Listening, _ engine: NotificationEngine
    ) throws -> String {
        "id: \(try engine.token(of: listening.position))\n\n"
    }

    /// Shows both ends, and whatever is between, that the other is there.
    static func beat(_ listening: Listening, _ engine: NotificationEngine) throws -> String {
        ":\n" + (try position(listening, engine))
    }
}

extension Request {
    fileprivate var announcesBody: Bool {
        headers[.transferEncoding] != nil || (headers[.contentLength] ?? "0") != "0"
    }
}

/// Where an `EventSource` was when it broke off.
private func lastEventID(of request: Request) -> String? {
    HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
}
