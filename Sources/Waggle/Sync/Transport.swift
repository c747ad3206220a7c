/// Sends requests and receives answers: over HTTP, or without a network in tests.
protocol Transport: Sendable {
    func send(_ request: WireRequest) async throws(WireFailure) -> WireAnswer

    /// Whether a page may be requested while the page before it is stored.
    var prefetchesPages: Bool { get }
}

extension Transport {
    var prefetchesPages: Bool { true }
}

struct WireRequest: Hashable, Sendable {
    let method: String
    /// The path below the server's address, such as `v1/test/sync`.
    let path: String
    var token: String?
    var body: [UInt8]?
    var headers: [String: String] = [:]

    /// The headers, including those for the body and the token.
    var allHeaders: [String: String] {
        var all = headers
        if body != nil { all["Content-Type"] = all["Content-Type"] ?? "application/json" }
        all["Authorization"] = token.map { "Bearer \($0)" }
        return all
    }
}

struct WireAnswer: Hashable, Sendable {
    let status: Int
    let body: [UInt8]
    /// The headers by their names in lower case.
    var headers: [String: String] = [:]

    /// The `Retry-After` header in seconds, at most a day.
    var retryAfter: Int? {
        headers["retry-after"].flatMap { Int($0) }.map { min(max($0, 0), 86_400) }
    }
}

/// No answer was received. The server may have carried out the request all the same.
struct WireFailure: Error, Hashable, Sendable {
    let reason: String
}

/// On Linux `URLSession` crashes where a connection is cut within the headers of an answer. On
/// Apple's platforms it knows the networks of the device.
#if os(Linux)
    typealias HTTPWire = CurlWire
#else
    typealias HTTPWire = FoundationWire
#endif

/// The longest pause within an answer, in seconds.
let wirePatienceSeconds = 60
