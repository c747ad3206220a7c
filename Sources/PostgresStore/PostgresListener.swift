package import SyncEngine

/// Hears what other processes do on the same database.
package struct PostgresListener: Sendable {
    /// Where it is told that there is a notification; what is sent is the number of its
    /// environment.
    static let channel = "waggle_notifications"

    private let address: PostgresAddress
    private let limits: PostgresLimits

    package init(address: PostgresAddress, limits: PostgresLimits = PostgresLimits()) {
        self.address = address
        self.limits = limits
    }

    /// Calls `announce` when there may be something new, until the task is cancelled: also whenever
    /// it was connected anew, since something may have been missed meanwhile, and from time to time
    /// in case something was lost on the way. `failing` gets what keeps it from listening, once for
    /// each time that it does.
    package func run(
        announcing announce: @escaping @Sendable () -> Void,
        failing: @Sendable (StoreError) -> Void
    ) async {
        var isFailing = false
        while !Task.isCancelled {
            let connection = Connection()
            do {
                try await connection.open(
                    address.text, patienceSeconds: limits.answerSeconds,
                    readying: [Statement("LISTEN \(Self.channel)")])
                isFailing = false
                try await listen(on: connection, announcing: announce)
            } catch {
                if !isFailing { failing(StoreError(error)) }
                isFailing = true
                try? await Task.sleep(for: .seconds(1))
            }
            await connection.close()
        }
    }

    private func listen(
        on connection: Connection, announcing announce: @Sendable () -> Void
    ) async throws {
        var last = ContinuousClock.now
        announce()
        while !Task.isCancelled {
            let (result, _) = await connection.run { server in
                try server.notifications(waitingMilliseconds: Self.beatMilliseconds)
            }
            let isTime = ContinuousClock.now - last > Self.longestSilence
            guard try !result.get().isEmpty || isTime else { continue }
            last = .now
            announce()
        }
    }

    /// How long it takes until it is noticed that nobody wants to hear any more.
    private static let beatMilliseconds: Int32 = 250

    private static let longestSilence = Duration.seconds(30)
}
