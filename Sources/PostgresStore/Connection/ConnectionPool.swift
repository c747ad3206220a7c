import Dispatch
import Queues
import SyncEngine
import Synchronization

/// The connections of a process to its server. They are opened on demand, up to a maximum, and kept
/// open.
final class ConnectionPool: Sendable {
    private struct State {
        var idle: [Connection] = []
        /// Number of connections, those in use and being opened included.
        var count = 0
        var waiting = FairQueue<Waiter>(maxCount: .max)
        var isClosed = false
    }

    private typealias Waiter = CheckedContinuation<Turn, Never>

    private enum Turn: Sendable {
        case take(Connection)
        case make
        case refuse(StoreError)
    }

    let address: String
    private let limits: PostgresLimits
    private let state = Mutex(State())
    /// When the server started, as text. Nil until it was asked.
    let serverStart = Mutex<String?>(nil)
    private let clock = DispatchQueue(label: "waggle.postgres.waiting")

    init(address: String, limits: PostgresLimits) {
        self.address = address
        self.limits = limits
    }

    /// Runs `body` with exclusive use of a connection. Throws `busy` if none is free within
    /// `patienceSeconds`.
    func run<Value: Sendable>(
        _ body: @Sendable (PGConnection) throws -> Value
    ) async throws -> Value {
        let connection = try await lease()
        let (result, isGood) = await connection.run(body)
        if isGood { putBack(connection) } else { discard() }
        return try result.get()
    }

    /// Closes idle connections. Waiting and later calls fail; connections in use close when they
    /// are returned.
    func close() {
        let (waiting, _) = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return (state.waiting.removeAll(), state.idle)
        }
        for waiter in waiting { waiter.resume(returning: .refuse(.closed)) }
    }

    /// Drops idle connections, which are lost with the server.
    func forgetIdle() {
        let idle = state.withLock { state in
            defer {
                state.count -= state.idle.count
                state.idle = []
            }
            return state.idle
        }
        _ = idle
    }
}

extension StoreError {
    static let closed = failed("the database is closed")
}

// MARK: - Leasing

extension ConnectionPool {
    private func lease() async throws -> Connection {
        let turn = await withCheckedContinuation { continuation in
            let (turn, ticket) = state.withLock { state in next(&state, continuation) }
            if let turn {
                continuation.resume(returning: turn)
            } else {
                clock.asyncAfter(deadline: .now() + .seconds(limits.patienceSeconds)) { [self] in
                    expire(ticket)
                }
            }
        }
        switch turn {
        case .take(let connection): return connection
        case .make: return try await made()
        case .refuse(let error): throw error
        }
    }

    /// Returns nil if the caller must wait.
    private func next(
        _ state: inout State, _ waiter: Waiter
    ) -> (Turn?, ticket: WaitTicket) {
        let ticket = WaitTicket()
        if state.isClosed { return (.refuse(.closed), ticket) }
        if let connection = state.idle.popLast() { return (.take(connection), ticket) }
        if state.count < limits.connections {
            state.count += 1
            return (.make, ticket)
        }
        _ = state.waiting.append(waiter, ticket, of: WaitOrigin())
        return (nil, ticket)
    }

    private func expire(_ ticket: WaitTicket) {
        state.withLock { $0.waiting.remove(ticket) }?.resume(returning: .refuse(.busy))
    }

    private func made() async throws -> Connection {
        let connection = Connection()
        do {
            try await connection.open(
                address, patienceSeconds: limits.answerSeconds,
                readying: limits.sessionSettings)
            _ = try await connection.run { try self.noteServer(of: $0) }.result.get()
        } catch {
            discard()
            throw error
        }
        return connection
    }

    /// Begins an epoch if the server has started since this process asked it last, or is another
    /// one: it may have lost commits. Nothing else is done on the connection before.
    private func noteServer(of connection: PGConnection) throws {
        let rows = try connection.exchange([
            Statement("SELECT pg_postmaster_start_time()::text")
        ])
        guard var row = rows[0].first else { return }
        let start = try row.text()
        let known = serverStart.withLock { $0 }
        if known.map({ $0 != start }) ?? false { try beginEpochs(on: connection) }
        serverStart.withLock { $0 = start }
    }

    private func putBack(_ connection: Connection) {
        let waiter = state.withLock { state -> Waiter? in
            guard !state.isClosed else {
                state.count -= 1
                return nil
            }
            let next = state.waiting.popFirst()
            if next == nil { state.idle.append(connection) }
            return next
        }
        waiter?.resume(returning: .take(connection))
    }

    /// Frees the slot of a closed connection, for a waiting caller if there is one.
    private func discard() {
        let waiter = state.withLock { state -> Waiter? in
            let next = state.waiting.popFirst()
            if next == nil { state.count -= 1 }
            return next
        }
        waiter?.resume(returning: .make)
    }
}
