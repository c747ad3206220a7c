import MobeelizerWire

/// What reading a body promises, whatever is in it: that it does not matter how it is cut, that
/// events come in their order, that nothing comes but what is in the body, and that the limits are
/// kept. The promises that are broken are named.
///
/// - Parameter cut: how many bytes the first, the second, and each further piece have.
func brokenBodyPromises(
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
    if whole != ReadBody(pieces(of: body, cut), contentType: contentType, limits: limits) {
        broken.append("pieces bring something else")
    }
    let bytes = whole.parts.reduce(0) { $0 + $1.bytes.count }
    if whole.parts.count > limits.parts || bytes > body.count {
        broken.append("more comes out than went in")
    }
    if whole.error?.description == "" { broken.append("an error says nothing") }
    return broken
}

private func pieces(of body: [UInt8], _ cut: (Int) -> Int) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var rest = body[...]
    while !rest.isEmpty {
        pieces.append(Array(rest.prefix(max(1, cut(pieces.count)))))
        rest = rest.dropFirst(pieces.last?.count ?? 1)
    }
    return pieces
}
