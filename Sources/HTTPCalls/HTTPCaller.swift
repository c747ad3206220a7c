import Synchronization

/// Calls servers by HTTP, with libcurl.
///
/// Foundation's own loading of URLs ends the process on Linux when a connection is cut in the midst
/// of an answer's head. Redirects are not followed, and nothing is kept of an answer, cookies
/// included.
package final class HTTPCaller: Sendable {
    private let lines: Lines

    package init(_ limits: HTTPLimits) {
        lines = Lines(limits)
    }

    /// Throws where there is no whole answer, as far as the limits want it. Where the task is
    /// cancelled meanwhile, it does so within a second or so.
    package func call(_ call: HTTPCall) async throws(HTTPCallFailure) -> HTTPAnswer {
        guard let line = await lines.take() else { throw .isUnwanted }
        let end = CallEnd()
        let result = await withTaskCancellationHandler {
            await line.perform(call, until: end)
        } onCancel: {
            end.come()
        }
        lines.putBack(line)
        return try result.get()
    }
}

/// What calls are made on: as many as there are calls at a time, at most.
private final class Lines: Sendable {
    private struct State {
        var idle: [Line] = []
        /// Those in use, too.
        var count = 0
        var waiting: [(ticket: Int, turn: CheckedContinuation<Line?, Never>)] = []
        var lastTicket = 0
    }

    private enum Turn {
        case take(Line?)
        case wait
    }

    private let limits: HTTPLimits
    private let state = Mutex(State())

    init(_ limits: HTTPLimits) {
        self.limits = limits
    }

    /// Nil for a task that is cancelled.
    func take() async -> Line? {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                switch state.withLock({ next(&$0, ticket, continuation) }) {
                case .take(let line): continuation.resume(returning: line)
                case .wait: break
                }
            }
        } onCancel: {
            giveUp(ticket)
        }
    }

    /// Whoever is cancelled before they wait sees it here, since nobody could find them then.
    private func next(
        _ state: inout State, _ ticket: Int, _ continuation: CheckedContinuation<Line?, Never>
    ) -> Turn {
        if Task.isCancelled { return .take(nil) }
        if let line = state.idle.popLast() { return .take(line) }
        guard state.count >= limits.calls else {
            state.count += 1
            return .take(Line(limits))
        }
        state.waiting.append((ticket, continuation))
        return .wait
    }

    private func giveUp(_ ticket: Int) {
        let turn = state.withLock { state in
            state.waiting.firstIndex { $0.ticket == ticket }
                .map { state.waiting.remove(at: $0).turn }
        }
        turn?.resume(returning: nil)
    }

    func putBack(_ line: Line) {
        let turn = state.withLock { state -> CheckedContinuation<Line?, Never>? in
            guard !state.waiting.isEmpty else {
                state.idle.append(line)
                return nil
            }
            return state.waiting.removeFirst().turn
        }
        turn?.resume(returning: line)
    }
}
