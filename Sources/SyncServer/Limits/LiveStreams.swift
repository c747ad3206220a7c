import NIOConcurrencyHelpers
package import SyncEngine

/// Everybody who listens to this process. What they are told they read from the ledger themselves;
/// here they only learn that it is time to look.
///
/// Whoever comes to know of notifications that other processes have stored calls `announce` too.
package final class LiveStreams: NotificationDelivery {
    package static let maxOfOneUser = 8

    /// Whoever listens needs no token.
    package let deviceTypes: Set<String> = []
    private let max: Int
    private let listeners = NIOLockedValueBox(Listeners())

    private struct Listeners {
        var next = 0
        var all: [Int: (user: UserKey, occasions: AsyncStream<Void>.Continuation)] = [:]
    }

    /// At a time at most.
    package init(max: Int) {
        self.max = max
    }

    package func reaches(_ token: PushToken) -> Bool { false }

    package func announce() {
        let all = listeners.withLockedValue { $0.all.values.map(\.occasions) }
        for occasions in all { occasions.yield() }
    }

    package func deliver(
        _ notification: StoredNotification, to tokens: [PushToken]
    ) async -> [DeliveryResult] { [] }

    /// Throws `tooManyStreams` when there is no room.
    package func enter(_ login: String, in environment: ServedEnvironment) throws -> LiveSeat {
        let user = UserKey(environment: environment.name, login: login)
        let (stream, occasions) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (ofAll, ofUser, number) = listeners.withLockedValue { listeners in
            let ofAll = listeners.all.count
            let ofUser = listeners.all.values.count { $0.user == user }
            listeners.next += 1
            if ofAll < max && ofUser < Self.maxOfOneUser {
                listeners.all[listeners.next] = (user, occasions)
            }
            return (ofAll, ofUser, listeners.next)
        }
        guard ofUser < Self.maxOfOneUser else {
            throw HTTPFailure.tooManyOwnStreams(max: Self.maxOfOneUser)
        }
        guard ofAll < max else { throw HTTPFailure.tooManyStreams(max: max) }
        return LiveSeat(streams: self, number: number, stream: stream, occasions: occasions)
    }

    fileprivate func leave(_ number: Int) {
        listeners.withLockedValue { $0.all[number] = nil }
    }
}

/// The place of one who listens. It is free again when this is gone, also when not a byte was ever
/// sent.
package final class LiveSeat: Sendable {
    /// To look at the ledger; it ends when the stream has to. Several occasions may come as one.
    package let occasions: AsyncStream<Void>
    private let streams: LiveStreams
    private let number: Int
    private let continuation: AsyncStream<Void>.Continuation

    fileprivate init(
        streams: LiveStreams, number: Int, stream: AsyncStream<Void>,
        occasions continuation: AsyncStream<Void>.Continuation
    ) {
        self.streams = streams
        self.number = number
        occasions = stream
        self.continuation = continuation
    }

    deinit { streams.leave(number) }

    /// Makes the holder look, whether or not there is something new.
    package func look() { continuation.yield() }
    /// Ends `occasions`.
    package func end() { continuation.finish() }
}
