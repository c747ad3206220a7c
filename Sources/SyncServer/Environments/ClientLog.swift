import NIOConcurrencyHelpers
package import SyncEngine

/// The clients that a process has served, as far as they are not stored yet.
///
/// A client is noted once a day for each device, user and version, so that hardly a request leads
/// to a write.
package final class ClientLog: Sendable {
    private struct Key: Hashable {
        let environment: EnvironmentID
        let wire: String
        let fingerprint: String
        let deviceIdentifier: String
        /// Nil for a guest.
        let login: String?
    }

    private struct State {
        var day: Int64 = 0
        /// The clients that were noted on the day.
        var known: Set<Key> = []
        var waiting: [EnvironmentID: [SeenClient]] = [:]
        var count = 0
    }

    /// Bounds the memory. With more clients a day, some are noted several times.
    private static let mostKnown = 50_000
    /// Further clients are noted by a later request.
    private static let mostWaiting = 10_000

    private let state = NIOLockedValueBox(State())

    package init() {}

    /// - Parameters:
    ///   - wire: Its name, such as `waggle`.
    ///   - fingerprint: That of the client's version, as far as it names one; otherwise empty.
    ///   - isGuest: Whether nobody is signed in.
    package func note(
        _ caller: Caller, wire: String, fingerprint: String, isGuest: Bool = false,
        in environment: EnvironmentID, at now: Instant
    ) {
        let identifier =
            isGuest
            ? SeenClient.guestIdentifier(for: caller.deviceIdentifier) : caller.deviceIdentifier
        let key = Key(
            environment: environment, wire: wire, fingerprint: fingerprint,
            deviceIdentifier: identifier, login: isGuest ? nil : caller.login)
        state.withLockedValue { state in
            if state.day != now.day || state.known.count >= Self.mostKnown {
                state.day = now.day
                state.known = []
            }
            guard state.count < Self.mostWaiting, state.known.insert(key).inserted else { return }
            state.count += 1
            state.waiting[environment, default: []].append(
                SeenClient(
                    wire: wire, fingerprint: fingerprint, deviceIdentifier: identifier,
                    login: key.login, day: now.day))
        }
    }

    /// The clients of an environment that are not stored yet.
    package func waiting(in environment: EnvironmentID) -> [SeenClient] {
        state.withLockedValue { $0.waiting[environment] ?? [] }
    }

    /// The clients to store, by environment. They count as stored afterwards.
    package func take() -> [EnvironmentID: [SeenClient]] {
        state.withLockedValue { state in
            defer { (state.waiting, state.count) = ([:], 0) }
            return state.waiting
        }
    }

    /// Has clients noted again by their next requests, since they could not be stored.
    package func forget() { state.withLockedValue { $0.known = [] } }
}
