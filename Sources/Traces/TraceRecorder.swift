import Synchronization
package import Tracing

/// Records spans until they are exported.
///
/// A trace that a client began is sampled as its header says; of the others, a part is.
package final class TraceRecorder: Tracer {
    private struct State {
        var finished: [FinishedSpan] = []
        var droppedCount = 0
    }

    private let percent: Int
    private let maxSpans: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - percent: The part of the traces that begin here and are sampled, 0 to 100.
    ///   - maxSpans: The number of spans that are kept for the export. Further ones are dropped.
    package init(percent: Int, maxSpans: Int = 8192) {
        self.percent = percent
        self.maxSpans = maxSpans
    }

    package func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext,
        ofKind kind: SpanKind, at instant: @autoclosure () -> Instant, function: String,
        file fileID: String, line: UInt
    ) -> RecordedSpan {
        var context = context()
        let parent = context.trace
        let own =
            parent?.child() ?? TraceContext.first(isSampled: Int.random(in: 0..<100) < percent)
        context.trace = own
        return RecordedSpan(
            operationName, kind, own, parent: parent?.span, in: context,
            startedAt: instant().nanosecondsSinceEpoch, for: self)
    }

    package func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let text = extractor.extract(key: TraceContext.header, from: carrier) else { return }
        context.trace = TraceContext(header: text) ?? context.trace
    }

    package func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let text = context.trace?.headerText else { return }
        injector.inject(text, forKey: TraceContext.header, into: &carrier)
    }

    /// Nothing is to do: the spans are taken by `takeFinished`.
    package func forceFlush() {}

    func keep(_ span: FinishedSpan) {
        state.withLock { state in
            if state.finished.count < maxSpans {
                state.finished.append(span)
            } else {
                state.droppedCount += 1
            }
        }
    }

    /// Removes the oldest spans, `count` of them at most, and returns them with the number of those
    /// that were dropped since the last call.
    package func takeFinished(atMost count: Int) -> (spans: [FinishedSpan], droppedCount: Int) {
        state.withLock { state in
            let taken = Array(state.finished.prefix(count))
            state.finished.removeFirst(taken.count)
            defer { state.droppedCount = 0 }
            return (taken, state.droppedCount)
        }
    }
}
