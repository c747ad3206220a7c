import ChangeRules
import NIOPosix
import Queues
package import SyncEngine

/// Runs what can take long on threads of its own, with turns that users share fairly, so that the
/// threads of all other requests stay free.
///
/// Small work is done at once by the thread that has it: changing threads costs more. Sign-ins have
/// threads and turns of their own, see `PasswordGuard`.
package final class WorkPool: Sendable {
    /// A body up to this size, in bytes, is read at once.
    package static let smallBodyBytes = 16 << 10
    /// Matching patterns is done at once if it takes at most so many steps.
    package static let smallPatternSteps = 1_000_000
    /// So many requests may wait, of each kind that is not limited by the connections.
    static let maxWaiting = 256

    /// Whether it may take long to check the changes in a body of so many bytes.
    package static func takesLong(toCheck bytes: Int, by engine: Engine) -> Bool {
        let steps = bytes.multipliedReportingOverflow(by: engine.rules.book.mostPatternSteps)
        return bytes > smallBodyBytes || steps.overflow || steps.partialValue > smallPatternSteps
    }

    private let threads: NIOThreadPool
    private let computations: FairTurns
    private let searches: FairTurns
    private let reads: FairTurns

    /// - Parameters:
    ///   - threads: With `count` threads that are for this alone.
    ///   - count: At least 2.
    ///   - searches: The maximum number of searches at the same time, and of other long reads, at
    ///     least 2. They run on the threads of the store, of which some must stay free.
    ///   - connections: As many reads may wait.
    init(threads: NIOThreadPool, count: Int, searches: Int, connections: Int) {
        self.threads = threads
        computations = FairTurns(turns: count, maxWaiting: Self.maxWaiting)
        self.searches = FairTurns(turns: searches, maxWaiting: Self.maxWaiting)
        reads = FairTurns(turns: searches, maxWaiting: connections)
    }

    /// Runs `body` on a thread of the pool when it is the user's turn, unless the client has gone
    /// by then. Throws `tooMuchWork` if too many requests wait, and `stopping` if the server stops
    /// before.
    package func compute<Value: Sendable>(
        for login: String, on context: ConnectionContext, in environment: ServedEnvironment,
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withTurn(in: computations, of: .user(login, in: environment.name), on: context) {
            try await threads.runIfActive { try body() }
        }
    }

    /// Reads or writes a body of so many bytes for a client whose user is not known: a large one on
    /// a thread of the pool, when it is the turn of the client's address.
    package func compute<Value: Sendable>(
        ofBody bytes: Int, on context: ConnectionContext,
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        guard bytes > Self.smallBodyBytes else { return try body() }
        let client = WaitOrigin.user(context.clientAddress)
        return try await withTurn(in: computations, of: client, on: context) {
            try await threads.runIfActive { try body() }
        }
    }

    /// Runs a search when it is the user's turn, in the same way. The records that it keeps count
    /// as memory of the request meanwhile. It ends if the client goes, or the server stops.
    package func search<Value: Sendable>(
        for login: String, on context: ConnectionContext, in environment: ServedEnvironment,
        _ body: () async throws -> Value
    ) async throws -> Value {
        try await withTurn(in: searches, of: .user(login, in: environment.name), on: context) {
            let memory = context.connection.map { RequestReads(connection: $0) }
            let watch = WatchedSearch(turns: searches, context: context)
            return try await RequestWatch.$current.withValue(watch) {
                try await RequestMemory.$current.withValue(memory) { try await body() }
            }
        }
    }

    /// The turns of a user's reads that are no searches. Each is short, so they do not wait for
    /// searches.
    func turns(
        for login: String, on context: ConnectionContext, in environment: ServedEnvironment
    ) -> RequestTurns {
        RequestTurns(turns: reads, user: .user(login, in: environment.name), context: context)
    }

    /// Runs a long computation that is asynchronous, and that is in no environment, on the threads
    /// of the pool when it is the caller's turn, in the same way.
    package func run<Value: Sendable>(
        for login: String, on context: ConnectionContext, _ body: () async throws -> Value
    ) async throws -> Value {
        try await withTurn(in: computations, of: .user(login), on: context) {
            try await withTaskExecutorPreference(PoolExecutor(threads)) { try await body() }
        }
    }

    private func withTurn<Value: Sendable>(
        in turns: FairTurns, of user: WaitOrigin, on context: ConnectionContext,
        _ body: () async throws -> Value
    ) async throws -> Value {
        try await turns.run(as: user, orThrow: .tooMuchWork()) {
            guard context.isOpen else { throw CancellationError() }
            return try await body()
        }
    }

    var isStopping: Bool { reads.isStopping }

    /// Refuses what has not begun, and what would have to wait from now on.
    func stop() {
        for turns in [computations, searches, reads] { turns.stop() }
    }
}

extension WaitOrigin {
    /// A user of an environment, or an operator or an address in none.
    fileprivate static func user(_ login: String, in environment: String = "") -> WaitOrigin {
        WaitOrigin(group: "\(environment) \(login)")
    }
}
