import JSON
import Testing
import Traces
import Tracing

@Suite struct TraceRecorderTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let span = "00f067aa0ba902b7"

    @Test(arguments: [
        ("00-\(trace)-\(span)-01", true), ("00-\(trace)-\(span)-00", false),
        ("00-\(trace)-\(span)-03", true), ("cc-\(trace)-\(span)-01-later", true),
    ])
    func validHeaderIsRead(header: String, isSampled: Bool) throws {
        let context = try #require(TraceContext(header: header))
        #expect(context.trace == Self.trace)
        #expect(context.span == Self.span)
        #expect(context.isSampled == isSampled)
    }

    @Test(arguments: [
        "", "x", "00-\(trace)-\(span)", "ff-\(trace)-\(span)-01",
        "00-\(trace.uppercased())-\(span)-01",
        "00-\(trace)-0000000000000000-01", "00-00000000000000000000000000000000-\(span)-01",
        "0-\(trace)-\(span)-01", "00-\(trace)-\(span)-1", "00-\(trace)-\(span)-0g",
        "00-\(trace)-\(span)-01-" + String(repeating: "a", count: 128),
    ])
    func invalidHeaderIsIgnored(header: String) {
        #expect(TraceContext(header: header) == nil)
    }

    @Test func spansBelongToTheirParents() throws {
        let recorder = TraceRecorder(percent: 100)
        let first = recorder.startSpan("first", context: .topLevel)
        let second = recorder.startSpan("second", context: first.context, ofKind: .client)
        second.end()
        first.end()
        first.end()
        let (spans, droppedCount) = recorder.takeFinished(atMost: 10)
        #expect(droppedCount == 0)
        #expect(spans.map(\.name) == ["second", "first"])
        #expect(spans.map(\.parent) == [first.trace.span, nil])
        #expect(Set(spans.map(\.context.trace)).count == 1)
        #expect(spans.allSatisfy { $0.start <= $0.end })
        #expect(recorder.takeFinished(atMost: 10).spans.isEmpty)
    }

    @Test func clientDecidesWhetherItsTraceIsSampled() throws {
        for (percent, flags, count) in [(100, "00", 0), (0, "01", 1)] {
            let recorder = TraceRecorder(percent: percent)
            var context = ServiceContext.topLevel
            context.trace = TraceContext(header: "00-\(Self.trace)-\(Self.span)-\(flags)")
            let span = recorder.startSpan("span", context: context)
            #expect(span.isRecording == (count == 1))
            span.end()
            #expect(!span.isRecording)
            #expect(recorder.takeFinished(atMost: 10).spans.count == count)
        }
        let recorder = TraceRecorder(percent: 0)
        recorder.startSpan("span", context: .topLevel).end()
        #expect(recorder.takeFinished(atMost: 10).spans.isEmpty)
    }

    @Test func spansBeyondLimitAreDropped() {
        let recorder = TraceRecorder(percent: 100, maxSpans: 2)
        for number in 0..<5 { recorder.startSpan("\(number)", context: .topLevel).end() }
        let (spans, droppedCount) = recorder.takeFinished(atMost: 1)
        #expect(spans.map(\.name) == ["0"])
        #expect(droppedCount == 3)
        let rest = recorder.takeFinished(atMost: 10)
        #expect(rest.spans.map(\.name) == ["1"])
        #expect(rest.droppedCount == 0)
    }

    @Test func exportRequestIsInFormOfCollectors() throws {
        let recorder = TraceRecorder(percent: 100)
        let caller = recorder.startSpan("caller", context: .topLevel)
        let span = recorder.startSpan(
            "GET /a", context: caller.context, ofKind: .server,
            at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: 5))
        span.attributes["text"] = "a\"b"
        span.attributes["number"] = 200
        span.attributes["flag"] = true
        span.setStatus(SpanStatus(code: .error, message: "m"))
        span.addLink(SpanLink(context: caller.context, attributes: [:]))
        let later = DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: 6)
        span.recordError(Fault(), attributes: [:], at: later)
        span.end(at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: 7))
        let spans = recorder.takeFinished(atMost: 10).spans
        let body = exportRequest(of: spans, service: "waggle", version: "1.2")
        let expected = """
            {"resourceSpans":[{"resource":{"attributes":[\
            {"key":"service.name","value":{"stringValue":"waggle"}},\
            {"key":"service.version","value":{"stringValue":"1.2"}}]},\
            "scopeSpans":[{"scope":{"name":"waggle"},"spans":[{"attributes":[\
            {"key":"flag","value":{"boolValue":true}},\
            {"key":"number","value":{"intValue":"200"}},\
            {"key":"text","value":{"stringValue":"a\\"b"}}],"endTimeUnixNano":"7",\
            "events":[{"attributes":[{"key":"exception.type","value":{"stringValue":"Fault"}}],\
            "name":"exception","timeUnixNano":"6"}],"kind":2,\
            "links":[{"spanId":"\(caller.trace.span)","traceId":"\(caller.trace.trace)"}],\
            "name":"GET /a","parentSpanId":"\(caller.trace.span)","spanId":"\(span.trace.span)",\
            "startTimeUnixNano":"5","status":{"code":2,"message":"m"},\
            "traceId":"\(span.trace.trace)"}]}]}]}
            """
        #expect(String(decoding: body, as: UTF8.self) == expected)
    }

    @Test func contextIsInjected() {
        let recorder = TraceRecorder(percent: 100)
        let span = recorder.startSpan("span", context: .topLevel)
        var headers: [String: String] = [:]
        recorder.inject(span.context, into: &headers, using: Headers())
        #expect(TraceContext(header: headers["traceparent"] ?? "") == span.trace)
    }
}

private struct Fault: Error {}

private struct Headers: Injector {
    func inject(_ value: String, forKey key: String, into headers: inout [String: String]) {
        headers[key] = value
    }
}
