import JSON
import Tracing

/// Returns the body of a request that exports spans: `ExportTraceServiceRequest` of OTLP 1.x in
/// JSON, as collectors of OpenTelemetry take it at `/v1/traces`.
///
/// - Parameters:
///   - service: The name under which the collector lists the spans.
///   - version: The version of the service.
package func exportRequest(
    of spans: [FinishedSpan], service: String, version: String
) -> [UInt8] {
    let resource = [
        member("service.name", ["stringValue": .string(service)]),
        member("service.version", ["stringValue": .string(version)]),
    ]
    let scope: JSONValue = .object([
        "scope": .object(["name": .string(service)]), "spans": .array(spans.map(json(of:))),
    ])
    var writer = JSONWriter()
    writer.object([
        "resourceSpans": .array([
            .object([
                "resource": .object(["attributes": .array(resource)]),
                "scopeSpans": .array([scope]),
            ])
        ])
    ])
    return writer.bytes
}

private func json(of span: FinishedSpan) -> JSONValue {
    var json: [String: JSONValue] = [
        "traceId": .string(span.context.trace), "spanId": .string(span.context.span),
        "name": .string(span.name), "kind": .integer(number(of: span.kind)),
        "startTimeUnixNano": .string("\(span.start)"), "endTimeUnixNano": .string("\(span.end)"),
        "attributes": members(of: span.attributes),
    ]
    if let parent = span.parent { json["parentSpanId"] = .string(parent) }
    if let status = span.status {
        json["status"] = .object(
            ["code": .integer(status.code == .ok ? 1 : 2)]
                .merging(status.message.map { ["message": .string($0)] } ?? [:]) { $1 })
    }
    if !span.events.isEmpty {
        json["events"] = .array(
            span.events.map { event in
                .object([
                    "name": .string(event.name), "attributes": members(of: event.attributes),
                    "timeUnixNano": .string("\(event.nanosecondsSinceEpoch)"),
                ])
            })
    }
    if !span.links.isEmpty {
        json["links"] = .array(
            span.links.map {
                .object(["traceId": .string($0.trace), "spanId": .string($0.span)])
            })
    }
    return .object(json)
}

/// As OTLP numbers them.
private func number(of kind: SpanKind) -> Int64 {
    switch kind {
    case .internal: 1
    case .server: 2
    case .client: 3
    case .producer: 4
    case .consumer: 5
    }
}

/// In the order of their names.
private func members(of attributes: SpanAttributes) -> JSONValue {
    var found: [(name: String, attribute: SpanAttribute)] = []
    func add(_ name: String, _ attribute: SpanAttribute) { found.append((name, attribute)) }
    attributes.forEach(add)
    return .array(
        found.sorted { $0.name < $1.name }.map { member($0.name, value(of: $0.attribute)) })
}

private func member(_ name: String, _ value: [String: JSONValue]) -> JSONValue {
    .object(["key": .string(name), "value": .object(value)])
}

/// Whole numbers are texts in OTLP's JSON. Lists become texts too: nothing here records one.
///
/// The package that declares the attributes may add cases to them.
private func value(of attribute: SpanAttribute) -> [String: JSONValue] {
    if case .int32(let number) = attribute { return ["intValue": .string("\(number)")] }
    if case .int64(let number) = attribute { return ["intValue": .string("\(number)")] }
    if case .bool(let flag) = attribute { return ["boolValue": .boolean(flag)] }
    if case .string(let text) = attribute { return ["stringValue": .string(text)] }
    return ["stringValue": .string("\(attribute)")]
}
