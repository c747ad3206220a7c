import MobeelizerWire

/// Checks the guarantees for reading any body: the result does not depend on the chunks, events are
/// in order, no contents are invented, and the limits hold. Returns the violated ones.
///
/// - Parameter cut: The size of the first, second, and each further chunk.
func brokenBodyInvariants(
    of body: [UInt8], contentType: String, cut: (Int) -> Int
) -> [String] {
    var limits = MultipartLimits()
    limits.parts = 5
    limits.headerBytes = 200
    let whole = ReadBody([body], contentType: contentType, limits: limits)
    var broken = whole.disorder
    if whole != ReadBody(body.singles, contentType: contentType, limits: limits) {
        broken.append("single bytes bring something else")
    }
    if whole != ReadBody(chunks(of: body, cut), contentType: contentType, limits: limits) {
        broken.append("chunks bring something else")
    }
    let bytes = whole.parts.reduce(0) { $0 + $1.bytes.count }
    if whole.parts.count > limits.parts || bytes > body.count {
        broken.append("more comes out than went in")
    }
    if whole.error?.description == "" { broken.append("an error says nothing") }
    return broken
}

private func chunks(of body: [UInt8], _ cut: (Int) -> Int) -> [[UInt8]] {
    var chunks: [[UInt8]] = []
    var rest = body[...]
    while !rest.isEmpty {
        chunks.append(Array(rest.prefix(max(1, cut(chunks.count)))))
        rest = rest.dropFirst(chunks.last?.count ?? 1)
    }
    return chunks
}
