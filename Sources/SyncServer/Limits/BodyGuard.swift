import Hummingbird
import NIOConcurrencyHelpers
import NIOCore

/// Reads whole bodies into memory, with a time limit: a slow client could otherwise hold its
/// connection forever.
///
/// A separate task with a timer for each body took a tenth of the time of a small request. One
/// timer per server therefore checks all bodies each second.
package final class BodyGuard: Sendable {
    private struct PendingBodies {
        var lastTicket = 0
        var bodies: [Int: (channel: any Channel, until: NIODeadline)] = [:]
    }

    /// The maximum time for a body to arrive; a late body may be noticed one second later.
    package let seconds: Int
    /// The maximum size of a body that is read as a whole. A wire may set a lower limit for some
    /// requests.
    package let maxBytes: Int
    private let pending = NIOLockedValueBox(PendingBodies())

    init(maxBytes: Int, seconds: Int) {
        self.maxBytes = maxBytes
        self.seconds = seconds
    }

    /// Throws at once if the header declares too many bytes, and when the time limit passes.
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
        return pending.withLockedValue { pending in
            pending.lastTicket += 1
            pending.bodies[pending.lastTicket] = (channel, until)
            return pending.lastTicket
        }
    }

    /// Returns whether the body was still being read.
    @discardableResult private func end(_ ticket: Int) -> Bool {
        pending.withLockedValue { $0.bodies.removeValue(forKey: ticket) != nil }
    }

    /// Throws the error into the reader, unless the body has become complete by the time the event
    /// loop runs this.
    private func endOverdue(at now: NIODeadline) {
        let overdue = pending.withLockedValue { $0.bodies.filter { $0.value.until <= now } }
        for (ticket, body) in overdue {
            body.channel.eventLoop.execute { [self] in
                if end(ticket) { body.channel.pipeline.fireErrorCaught(BodyTooSlow()) }
            }
        }
    }
}

private struct BodyTooSlow: Error {}
