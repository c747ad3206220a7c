import Dispatch
import SyncEngine
import Synchronization

/// The connections of a process to its server. They are opened on demand, up to a maximum, and kept
/// open.
final class ConnectionPool: Sendable {
    private struct State {
        var idle: [Connection] = []
        /// Number of connections, those in use and being opened included.
        var count = 0
        var waiting: [(ticket: Int, turn: CheckedContinuation<Turn, Never>)] = []
        var lastTicket = 0
        var isClosed = false
    }

    private enum Turn: Sendable {
        case take(Connection)
        case make
        case refuse(StoreError)
    }

    let address: String
    private let limits: PostgresLimits
    private let state = Mutex(State())
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
            defer { (state.waiting, state.idle) = ([], []) }
            return (state.waiting, state.idle)
        }
        for (_, turn) in waiting { turn.resume(returning: .refuse(.closed)) }
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
        _ state: inout State, _ continuation: CheckedContinuation<Turn, Never>
    ) -> (Turn?, ticket: Int) {
        state.lastTicket += 1
        if state.isClosed { return (.refuse(.closed), state.lastTicket) }
        if let connection = state.idle.popLast() { return (.take(connection), state.lastTicket) }
        if state.count < limits.connections {
            state.count += 1
            return (.make, state.lastTicket)
        }
        state.waiting.append((state.lastTicket, continuation))
        return (nil, state.lastTicket)
    }

    private func expire(_ ticket: Int) {
        let turn = state.withLock { state in
            state.waiting.firstIndex { $0.ticket == ticket }
                .map { state.waiting.remove(at: $0).turn }
        }
        turn?.resume(returning: .refuse(.busy))
    }

    private func made() async throws -> Connection {
        let connection = Connection()
        do {
            try await connection.open(
                address, patienceSeconds: limits.answerSeconds,
                readying: limits.sessionSettings)
        } catch {
            discard()
            throw error
        }
        return connection
    }

    private func putBack(_ connection: Connection) {
        let turn = state.withLock { state -> CheckedContinuation<Turn, Never>? in
            guard !state.isClosed else {
                state.count -= 1
                return nil
            }
            guard !state.waiting.isEmpty else {
                state.idle.append(connection)
                return nil
            }
            return state.waiting.removeFirst().turn
        }
        turn?.resume(returning: .take(connection))
    }

    /// Frees the slot of a closed connection, for a waiting caller if there is one.
    private func discard() {
        let turn = state.withLock { state -> CheckedContinuation<Turn, Never>? in
            guard !state.waiting.isEmpty else {
                state.count -= 1
                return nil
            }
            return state.waiting.removeFirst().turn
        }
        turn?.resume(returning: .make)
    }
}
