import HTTPCalls
import Logging
import ServiceLifecycle
import Traces

/// A collector of traces, and the spans that it is sent.
struct TraceCollector: Sendable {
    let url: String
    let recorder: TraceRecorder
}

/// Sends the recorded spans to a collector, every few seconds and once more when the server has
/// ended. Spans that the collector does not take are dropped.
struct TraceExport: Service {
    private let collector: TraceCollector
    private let logger: Logger
    private let caller = HTTPCaller(
        HTTPLimits(
            answers: .whole(maxBytes: 64 << 10), totalSeconds: 10, idleSeconds: 5, calls: 1))

    private static let interval: Duration = .seconds(2)
    /// The spans of one call.
    private static let batchSize = 512

    init(to collector: TraceCollector, logger: Logger) {
        self.collector = collector
        self.logger = logger
    }

    func run() async throws {
        var failure = await cancelWhenGracefulShutdown { () -> String? in
            var failure: String?
            while !Task.isCancelled {
                do {
                    try await Task.sleep(for: Self.interval)
                } catch {
                    return failure
                }
                note(await export(), after: &failure)
            }
            return failure
        }
        // A task of its own, because this one is cancelled.
        note(await Task { await export() }.value, after: &failure)
    }

    /// Returns the reason of the first failure.
    private func export() async -> String? {
        var failure: String?
        while true {
            let (spans, droppedCount) = collector.recorder.takeFinished(atMost: Self.batchSize)
            if droppedCount > 0 {
                failure = failure ?? "\(droppedCount) spans were dropped because there are too many"
            }
            guard !spans.isEmpty else { return failure }
            let found = await send(spans)
            failure = failure ?? found
        }
    }

    private func send(_ spans: [FinishedSpan]) async -> String? {
        let call = HTTPCall(
            "POST", collector.url, headers: ["Content-Type": "application/json"],
            body: exportRequest(of: spans, service: "waggle", version: versionNumber))
        do {
            let answer = try await caller.call(call)
            return (200..<300).contains(answer.status) ? nil : "it answers \(answer.status)"
        } catch {
            return error.reason
        }
    }

    /// Logs a failure when it begins, and when it has ended.
    private func note(_ found: String?, after failure: inout String?) {
        defer { failure = found }
        switch (found, failure) {
        case (let reason?, nil):
            logger.error("the collector does not take traces", metadata: ["cause": "\(reason)"])
        case (nil, _?): logger.notice("the collector takes traces again")
        case (_?, _?), (nil, nil): break
        }
    }
}
