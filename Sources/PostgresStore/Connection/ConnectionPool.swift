import Dispatch
import SyncEngine
import Synchronization

/// The connections of a process to its server: made when they are needed, a number of them at most,
/// and kept.
final class ConnectionPool: Sendable {
    private struct State {
        var idle: [Connection] = []
        /// Those in use and being made, too.
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

    /// Runs `body` on a connection that nobody else has meanwhile. Whoever waits too long for one
    /// gets `busy`.
    func run<Value: Sendable>(
        _ body: @Sendable (PGConnection) throws -> Value
    ) async throws -> Value {
        let connection = try await lease()
        let (result, isGood) = await connection.run(body)
        if isGood { putBack(connection) } else { discard() }
        return try result.get()
    }

    /// Ends every connection that nobody uses. Nobody gets one any more; those that are used end
    /// when they come back.
    func close() {
        let (waiting, _) = state.withLock { state in
            state.isClosed = true
            defer { (state.waiting, state.idle) = ([], []) }
            return (state.waiting, state.idle)
        }
        for (_, turn) in waiting { turn.resume(returning: .refuse(.closed)) }
    }

    /// The server has gone: what is idle has lost it too.
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

    /// Nil for whoever has to wait.
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

    /// There is room for another one.
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
