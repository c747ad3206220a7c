package import Tracing

/// A span that has ended. Times are in nanoseconds since 1970.
package struct FinishedSpan: Sendable {
    package let name: String
    package let kind: SpanKind
    package let context: TraceContext
    /// The id of the span that caused it; nil for the first one of a trace.
    package let parent: String?
    package let start: UInt64
    package let end: UInt64
    package let attributes: SpanAttributes
    package let status: SpanStatus?
    package let events: [SpanEvent]
    package let links: [TraceContext]
}
