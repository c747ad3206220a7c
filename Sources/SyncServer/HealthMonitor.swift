import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import SyncEngine

/// Answers whether the database can be read, on the event loops and within a short time, whatever
/// occupies the threads that the requests share.
///
/// The question goes to the database each time. As long as the answer is missing, the last one
/// counts, but not for longer than a few seconds.
final class HealthMonitor: Sendable {
    private struct State {
        /// When the question that is not answered yet was asked.
        var askedAt: NIODeadline?
        /// Nil if the database answered.
        var lastFailure: HTTPFailure?
        var waiting: [EventLoopPromise<HTTPFailure?>] = []
    }

    private let state = NIOLockedValueBox(State())
    private let check: @Sendable () async throws -> Void
    private let questions: AsyncStream<Void>
    private let ask: AsyncStream<Void>.Continuation
    private let executor: PoolExecutor

    /// - Parameters:
    ///   - threads: With a thread that is for this alone.
    ///   - check: Throws if the database cannot be read.
    init(threads: NIOThreadPool, check: @escaping @Sendable () async throws -> Void) {
        executor = PoolExecutor(threads)
        self.check = check
        (questions, ask) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Runs `body`, and asks the database meanwhile.
    func run<Value: Sendable>(
        during body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: executor) { [self] in
                for await _ in questions { settle(await failure()) }
            }
            defer {
                ask.finish()
                settle(nil)
            }
            return try await body()
        }
    }

    /// Nil if the database can be read. Answered within `answerTime`.
    func failure(on loop: any EventLoop) -> EventLoopFuture<HTTPFailure?> {
        let answer = loop.makePromise(of: HTTPFailure?.self)
        let isWaiting = state.withLockedValue { state in
            if state.askedAt == nil { state.askedAt = .now() }
            guard state.waiting.count < Self.mostWaiting else { return false }
            state.waiting.append(answer)
            return true
        }
        ask.yield()
        guard isWaiting else { return loop.makeSucceededFuture(present(at: .now())) }
        // Whichever comes first counts.
        let timer = loop.scheduleTask(in: Self.answerTime) { [self] in
            answer.succeed(present(at: .now()))
        }
        answer.futureResult.whenComplete { _ in timer.cancel() }
        return answer.futureResult
    }

    private func failure() async -> HTTPFailure? {
        do {
            try await check()
            return nil
        } catch let error as SyncError {
            return HTTPFailure(error)
        } catch {
            return .unexpected(error)
        }
    }

    private func settle(_ failure: HTTPFailure?) {
        let waiting = state.withLockedValue { state in
            defer { state.waiting = [] }
            state.lastFailure = failure
            state.askedAt = nil
            return state.waiting
        }
        for promise in waiting { promise.succeed(failure) }
    }

    /// The answer while the database has not answered.
    private func present(at now: NIODeadline) -> HTTPFailure? {
        state.withLockedValue { state in
            guard let askedAt = state.askedAt, askedAt + Self.patience <= now else {
                return state.lastFailure
            }
            return HTTPFailure(
                SyncError.store(.unavailable("the database does not answer")))
        }
    }

    private static let mostWaiting = 256
    private static let answerTime = TimeAmount.milliseconds(80)
    private static let patience = TimeAmount.seconds(5)
}
