package import SyncEngine

/// An advisory lock of a connection of its own.
struct PostgresHold: StoreHold {
    /// The keys are unlikely to be used by other programs: see `PostgresSchema`.
    enum Subject: Int64, Sendable {
        /// Shared by copies that read the contents of files.
        case contents = 0x5761_676D
        /// Held by a copy that writes to the database.
        case copy = 0x5761_676E
        /// Held by the process that gives records the values of deployments.
        case fill = 0x5761_676F
    }

    fileprivate let connection = Connection()

    func release() async { await connection.close() }
}

extension PostgresDatabase {
    /// Returns nil if another process holds it. A shared hold waits instead, as long as for any
    /// lock.
    func hold(
        _ subject: PostgresHold.Subject, isShared: Bool
    ) async throws(StoreError) -> PostgresHold? {
        let hold = PostgresHold()
        do {
            try await open(hold.connection, readying: [])
            let (result, _) = await hold.connection.run { server in
                let key = Parameter.integer(subject.rawValue)
                let rows = try server.exchange([
                    isShared
                        ? Statement("SELECT pg_advisory_lock_shared($1)", [key])
                        : Statement("SELECT pg_try_advisory_lock($1)", [key])
                ])
                var row = rows[0].first
                return isShared ? true : try row?.flag() ?? false
            }
            guard try result.get() else {
                await hold.release()
                return nil
            }
            return hold
        } catch {
            await hold.release()
            throw StoreError(error)
        }
    }

    /// The right to write a copy to this database; nil if another process has it.
    package func claimCopies() async throws(StoreError) -> (any StoreHold)? {
        try await hold(.copy, isShared: false)
    }

    /// The right to fill in the values of deployments; nil if another process has it.
    package func claimFills() async throws(StoreError) -> (any StoreHold)? {
        try await hold(.fill, isShared: false)
    }
}
