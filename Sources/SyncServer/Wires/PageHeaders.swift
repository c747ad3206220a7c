/// The headers that pages of allowed origins may use, beside those that they may use on every
/// wire.
package struct PageHeaders: Hashable, Sendable {
    /// Headers of requests, by name.
    package let ofRequests: [String]
    /// Headers of responses, by name.
    package let ofResponses: [String]

    package init(ofRequests: [String] = [], ofResponses: [String] = []) {
        self.ofRequests = ofRequests
        self.ofResponses = ofResponses
    }

    static let common = PageHeaders(
        ofRequests: [
            "Authorization", "Content-Type", "Content-Range", "Repr-Digest", "Range", "If-Range",
            "If-None-Match", "Last-Event-ID", "X-Request-Id", "traceparent", "If-Match",
        ],
        ofResponses: [
            "Accept-Ranges", "Content-Range", "ETag", "Link", "Repr-Digest", "Retry-After",
            "X-Request-Id",
        ])

    /// The headers of both, each once, in their order.
    func joined(with other: PageHeaders) -> PageHeaders {
        func joined(_ names: [String], _ more: [String]) -> [String] {
            names + more.filter { !names.contains($0) }
        }
        return PageHeaders(
            ofRequests: joined(ofRequests, other.ofRequests),
            ofResponses: joined(ofResponses, other.ofResponses))
    }
}
