/// What goes over the network: a request with an answer. The real one is HTTP; tests cut it.
protocol Transport: Sendable {
    func send(_ request: WireRequest) async throws(WireFailure) -> WireAnswer
}

struct WireRequest: Hashable, Sendable {
    let method: String
    /// Below the server's address, such as `v1/test/sync`.
    let path: String
    var token: String?
    var body: [UInt8]?
    var headers: [String: String] = [:]

    /// With those that follow from the rest.
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
    /// By their names in lower case.
    var headers: [String: String] = [:]

    /// In seconds, a day at most, where the server says when to try again.
    var retryAfter: Int? {
        headers["retry-after"].flatMap { Int($0) }.map { min(max($0, 0), 86_400) }
    }
}

/// There was no answer. What was asked for may be done all the same.
struct WireFailure: Error, Hashable, Sendable {
    let reason: String
}

/// What Foundation has ends the app on Linux where a connection is cut in the midst of an answer's
/// head; what an app on an iPhone has, knows its networks.
#if os(Linux)
    typealias HTTPWire = CurlWire
#else
    typealias HTTPWire = FoundationWire
#endif

/// How long an answer may take to go on, in seconds.
let wirePatienceSeconds = 60
