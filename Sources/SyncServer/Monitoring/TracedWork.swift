package import ChangeRules
import SyncEngine
package import Traces
import Tracing

/// Adds to the trace of a request what the engine does for it, and counts it.
///
/// A transaction that carries out the pushes of several requests belongs to the trace of the one
/// that led it.
package final class TracedWork: EngineObserver {
    private let traces: TraceRecorder
    private let metrics: ServerMetrics?

    /// - Parameter metrics: Nil if nothing is counted.
    package init(_ traces: TraceRecorder, metrics: ServerMetrics?) {
        self.traces = traces
        self.metrics = metrics
    }

    package func decided(_ outcomes: [Outcome]) { metrics?.decided(outcomes) }

    package func committed(in duration: Duration) {
        metrics?.committed(in: duration)
        record("commit", of: duration)
    }

    package func readPage(in duration: Duration) {
        metrics?.readPage(in: duration)
        record("read page", of: duration)
    }

    package func askedForPage(isCached: Bool) { metrics?.askedForPage(isCached: isCached) }

    /// Records what ends now.
    private func record(_ name: String, of duration: Duration) {
        guard let context = ServiceContext.current, context.trace?.isSampled == true else { return }
        let end = DefaultTracerClock.now
        let start = DefaultTracerClock.Timestamp(
            nanosecondsSinceEpoch: end.nanosecondsSinceEpoch
                - UInt64(clamping: duration.nanoseconds))
        traces.startSpan(name, context: context, at: start).end(at: end)
    }
}
