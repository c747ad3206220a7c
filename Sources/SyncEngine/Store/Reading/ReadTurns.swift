/// The turns of the long reads of a request. Users share them, so that the reads of one do not hold
/// up those of others.
package protocol ReadTurns: Sendable {
    /// Waits for a turn. Call `end` afterwards, unless this throws.
    func begin() async throws(StoreError)

    func end()

    /// Call this between the steps of a long read. Throws `stopping` if the server stops, and
    /// `cancelled` if nobody waits for the answer any more.
    func checkGoesOn() throws(StoreError)
}

extension Engine {
    /// The same engine, whose long reads each wait for a turn: pages of pulls, of conflicts and of
    /// histories, and what a push reads before its transaction.
    package func taking(_ turns: any ReadTurns) -> Engine {
        var engine = self
        engine.turns = turns
        return engine
    }

    /// Runs a long read of the store when it is its turn.
    package func readingInTurn<Value: Sendable>(
        _ read: () async throws(StoreError) -> Value
    ) async throws(SyncError) -> Value {
        guard let turns else { return try await reading(read) }
        return try await reading { () async throws(StoreError) in
            try await turns.begin()
            defer { turns.end() }
            return try await read()
        }
    }
}
