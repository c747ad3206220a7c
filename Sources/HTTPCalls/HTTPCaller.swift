/// Calls servers by HTTP, with libcurl.
///
/// Foundation's own loading of URLs ends the process on Linux when a connection is cut in the midst
/// of an answer's head. Redirects are not followed, and nothing is kept of an answer, cookies
/// included; connections are kept, and used again.
package final class HTTPCaller: Sendable {
    private let lines: Lines

    package init(_ limits: HTTPLimits) {
        lines = Lines(limits)
    }

    /// Where the task is cancelled meanwhile, it ends as a failure within a second or so.
    package func call(_ call: HTTPCall) async throws(HTTPFailure) -> HTTPAnswer {
        let line = await lines.take()
        let end = CallEnd()
        let result = await withTaskCancellationHandler {
            await line.perform(call, until: end)
        } onCancel: {
            end.come()
        }
        await lines.putBack(line)
        return try result.get()
    }
}

/// What calls are made on: as many as there are calls at a time, at most.
private actor Lines {
    private let limits: HTTPLimits
    private var idle: [Line] = []
    private var count = 0
    private var waiting: [CheckedContinuation<Line, Never>] = []

    init(_ limits: HTTPLimits) {
        self.limits = limits
    }

    func take() async -> Line {
        if let line = idle.popLast() { return line }
        guard count >= limits.calls else {
            count += 1
            return Line(limits)
        }
        return await withCheckedContinuation { waiting.append($0) }
    }

    func putBack(_ line: Line) {
        if waiting.isEmpty {
            idle.append(line)
        } else {
            waiting.removeFirst().resume(returning: line)
        }
    }
}
