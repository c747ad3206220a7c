import Synchronization
package import Tracing

/// A span that a `TraceRecorder` keeps when it ends, if its trace is sampled.
package final class RecordedSpan: Span {
    private struct State {
        var name: String
        var attributes = SpanAttributes()
        var status: SpanStatus?
        var events: [SpanEvent] = []
        var links: [TraceContext] = []
        var hasEnded = false
    }

    package let context: ServiceContext
    package let trace: TraceContext
    private let kind: SpanKind
    private let parent: String?
    private let start: UInt64
    private let recorder: TraceRecorder
    private let state: Mutex<State>

    init(
        _ name: String, _ kind: SpanKind, _ trace: TraceContext, parent: String?,
        in context: ServiceContext, startedAt start: UInt64, for recorder: TraceRecorder
    ) {
        self.context = context
        self.trace = trace
        self.kind = kind
        self.parent = parent
        self.start = start
        self.recorder = recorder
        state = Mutex(State(name: name))
    }

    package var operationName: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }

    package var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set { state.withLock { $0.attributes = newValue } }
    }

    package var isRecording: Bool { trace.isSampled && !state.withLock { $0.hasEnded } }

    package func setStatus(_ status: SpanStatus) { state.withLock { $0.status = status } }

    package func addEvent(_ event: SpanEvent) { state.withLock { $0.events.append(event) } }

    package func addLink(_ link: SpanLink) {
        guard let linked = link.context.trace else { return }
        state.withLock { $0.links.append(linked) }
    }

    /// Records the type of the error. Its description may contain what users wrote.
    package func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        var attributes = attributes
        attributes["exception.type"] = "\(type(of: error))"
        addEvent(SpanEvent(name: "exception", at: instant(), attributes: attributes))
    }

    /// A second call does nothing.
    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let ended = state.withLock { state -> State? in
            guard !state.hasEnded else { return nil }
            state.hasEnded = true
            return state
        }
        guard let ended, trace.isSampled else { return }
        recorder.keep(
            FinishedSpan(
                name: ended.name, kind: kind, context: trace, parent: parent, start: start,
                end: max(start, instant().nanosecondsSinceEpoch), attributes: ended.attributes,
                status: ended.status, events: ended.events, links: ended.links))
    }
}
