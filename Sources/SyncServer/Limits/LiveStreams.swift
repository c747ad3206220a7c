import NIOConcurrencyHelpers
package import Notifications
import SyncEngine

/// The open live streams of this process. A stream reads the notifications itself; this class only
/// wakes it.
///
/// A process that learns of notifications from other processes calls `announce` too.
package final class LiveStreams: NotificationDelivery {
    package static let maxOfOneUser = 8

    /// A live stream needs no push token.
    package let deviceTypes: Set<String> = []
    private let max: Int
    private let subscriptions = NIOLockedValueBox(Subscriptions())

    private struct Subscriptions {
        var next = 0
        var all: [Int: (user: UserKey, signals: AsyncStream<Void>.Continuation)] = [:]
    }

    /// - Parameter max: The maximum number of streams.
    package init(max: Int) {
        self.max = max
    }

    /// The open streams.
    var count: Int { subscriptions.withLockedValue { $0.all.count } }

    package func reaches(_ token: PushToken) -> Bool { false }

    package func announce() {
        let all = subscriptions.withLockedValue { $0.all.values.map(\.signals) }
        for signals in all { signals.yield() }
    }

    package func deliver(
        _ notification: StoredNotification, to tokens: [PushToken]
    ) async -> [DeliveryResult] { [] }

    /// Without an environment for streams of the whole database. Throws `tooManyStreams` if the
    /// limit is reached.
    package func enter(
        _ login: String, in environment: ServedEnvironment?
    ) throws -> LiveSubscription {
        let user = UserKey(environment: environment?.name ?? "", login: login)
        let (stream, signals) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (ofAll, ofUser, number) = subscriptions.withLockedValue { subscriptions in
            let ofAll = subscriptions.all.count
            let ofUser = subscriptions.all.values.count { $0.user == user }
            subscriptions.next += 1
            if ofAll < max && ofUser < Self.maxOfOneUser {
                subscriptions.all[subscriptions.next] = (user, signals)
            }
            return (ofAll, ofUser, subscriptions.next)
        }
        guard ofUser < Self.maxOfOneUser else {
            throw HTTPFailure.tooManyOwnStreams(max: Self.maxOfOneUser)
        }
        guard ofAll < max else { throw HTTPFailure.tooManyStreams(max: max) }
        return LiveSubscription(streams: self, number: number, stream: stream, signals: signals)
    }

    fileprivate func leave(_ number: Int) {
        subscriptions.withLockedValue { $0.all[number] = nil }
    }
}

/// The subscription of one live stream. It ends when the object is released, even if no byte was
/// sent.
package final class LiveSubscription: Sendable {
    /// Signals to check for new notifications; ends when the stream has to end. Signals may be
    /// coalesced.
    package let signals: AsyncStream<Void>
    private let streams: LiveStreams
    private let number: Int
    private let continuation: AsyncStream<Void>.Continuation

    fileprivate init(
        streams: LiveStreams, number: Int, stream: AsyncStream<Void>,
        signals continuation: AsyncStream<Void>.Continuation
    ) {
        self.streams = streams
        self.number = number
        signals = stream
        self.continuation = continuation
    }

    deinit { streams.leave(number) }

    /// Signals the stream, whether or not there are new notifications.
    package func signal() { continuation.yield() }
    /// Ends `signals`.
    package func end() { continuation.finish() }
}
