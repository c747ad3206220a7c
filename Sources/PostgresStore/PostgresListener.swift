package import Administration
package import SyncEngine

/// Listens for events of other processes on the same database.
package struct PostgresListener: Sendable {
    /// The channel on which a notification is announced. The payload is the number of its
    /// environment.
    static let channel = "waggle_notifications"
    /// The channel of the news of designers. The payload is their text.
    static let designers = "waggle_designers"

    private let address: PostgresAddress
    private let limits: PostgresLimits

    package init(address: PostgresAddress, limits: PostgresLimits = PostgresLimits()) {
        self.address = address
        self.limits = limits
    }

    /// Calls `announce` when something may be new, until the task is cancelled: on an event, after
    /// every connection, since events may have been missed, and every 30 seconds, in case one was
    /// lost. Calls `hear` with each news of designers. Calls `failing` with the error once per
    /// interruption.
    package func run(
        announcing announce: @escaping @Sendable () -> Void,
        hearing hear: @Sendable (DesignerNews) async throws(StoreError) -> Void,
        failing: @Sendable (StoreError) -> Void
    ) async {
        var isFailing = false
        while !Task.isCancelled {
            let connection = Connection()
            do {
                try await connection.open(
                    address.text, patienceSeconds: limits.answerSeconds,
                    readying: [Self.channel, Self.designers].map { Statement("LISTEN \($0)") })
                isFailing = false
                try await listen(on: connection, announcing: announce, hearing: hear)
            } catch {
                if !isFailing { failing(StoreError(error)) }
                isFailing = true
                try? await Task.sleep(for: .seconds(1))
            }
            await connection.close()
        }
    }

    private func listen(
        on connection: Connection, announcing announce: @Sendable () -> Void,
        hearing hear: (DesignerNews) async throws(StoreError) -> Void
    ) async throws {
        var last = ContinuousClock.now
        announce()
        while !Task.isCancelled {
            let (result, _) = await connection.run { server in
                try server.notifications(waitingMilliseconds: Self.beatMilliseconds)
            }
            let heard = try result.get()
            for message in heard where message.channel == Self.designers {
                if let news = DesignerNews(text: message.payload) { try await hear(news) }
            }
            let isTime = ContinuousClock.now - last > Self.longestSilence
            guard heard.contains(where: { $0.channel == Self.channel }) || isTime else {
                continue
            }
            last = .now
            announce()
        }
    }

    /// Time until a cancellation is noticed.
    private static let beatMilliseconds: Int32 = 250

    private static let longestSilence = Duration.seconds(30)
}
