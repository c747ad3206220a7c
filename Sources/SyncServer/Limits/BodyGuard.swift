import Hummingbird
import NIOConcurrencyHelpers
import NIOCore

/// Reads whole bodies into memory, and lets none take longer than it may: a client that lets a body
/// drip would hold its connection for ever.
///
/// A timer for each, in a task beside the one that reads, was a tenth of what a small request took.
/// So one timer looks at all of them, each second.
package final class BodyGuard: Sendable {
    private struct Awaited {
        var lastTicket = 0
        var bodies: [Int: (channel: any Channel, until: NIODeadline)] = [:]
    }

    /// For a whole body to arrive; up to one more until that is noticed.
    package let seconds: Int
    /// For a body that is read as a whole; a wire may set a lower limit for some of its requests.
    package let maxBytes: Int
    private let awaited = NIOLockedValueBox(Awaited())

    init(maxBytes: Int, seconds: Int) {
        self.maxBytes = maxBytes
        self.seconds = seconds
    }

    /// A body is refused at once when the header tells that it is too large, and when it is not
    /// there in time.
    func wholeBody(
        of request: Request, upTo maxBytes: Int, on context: ConnectionContext
    ) async throws -> [UInt8] {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > maxBytes {
            throw HTTPFailure.bodyTooLarge(maxBytes: maxBytes)
        }
        let ticket = begin(context.channel)
        defer { end(ticket) }
        do {
            return [UInt8](try await request.body.collect(upTo: maxBytes).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw HTTPFailure.bodyTooLarge(maxBytes: maxBytes)
        } catch is BodyTooSlow {
            throw HTTPFailure.bodyTooSlow(seconds: seconds)
        } catch {
            throw HTTPFailure.bodyBroken()
        }
    }

    /// Ends overdue bodies until the timer is cancelled.
    func watch(on loop: any EventLoop) -> RepeatedTask {
        let second = TimeAmount.seconds(1)
        return loop.scheduleRepeatedTask(initialDelay: second, delay: second) { [self] _ in
            endOverdue(at: .now())
        }
    }

    private func begin(_ channel: any Channel) -> Int {
        let until = NIODeadline.now() + .seconds(Int64(seconds))
        return awaited.withLockedValue { awaited in
            awaited.lastTicket += 1
            awaited.bodies[awaited.lastTicket] = (channel, until)
            return awaited.lastTicket
        }
    }

    /// Whether the body was awaited until now.
    @discardableResult private func end(_ ticket: Int) -> Bool {
        awaited.withLockedValue { $0.bodies.removeValue(forKey: ticket) != nil }
    }

    /// Whoever reads gets the error instead of what would come next; unless all of it has come when
    /// it is the connection's turn.
    private func endOverdue(at now: NIODeadline) {
        let overdue = awaited.withLockedValue { $0.bodies.filter { $0.value.until <= now } }
        for (ticket, body) in overdue {
            body.channel.eventLoop.execute { [self] in
                if end(ticket) { body.channel.pipeline.fireErrorCaught(BodyTooSlow()) }
            }
        }
    }
}

private struct BodyTooSlow: Error {}
