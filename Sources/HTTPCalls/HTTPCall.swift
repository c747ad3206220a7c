/// An HTTP request.
package struct HTTPCall: Hashable, Sendable {
    package let method: String
    /// An `http` or `https` URL.
    package let url: String
    package let headers: [String: String]
    package let body: [UInt8]?

    package init(
        _ method: String, _ url: String, headers: [String: String] = [:], body: [UInt8]? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// An HTTP response. Redirects are not followed. With `HTTPLimits.Answers.status`, headers and body
/// are empty.
package struct HTTPAnswer: Hashable, Sendable {
    package let status: Int
    /// By lower-case name; the first of several headers with one name.
    package let headers: [String: String]
    package let body: [UInt8]

    package init(status: Int, headers: [String: String], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// There was no complete answer. The server may have processed the request all the same.
package struct HTTPCallFailure: Error, Hashable, Sendable {
    /// Does not contain the address of the server.
    package let reason: String
    /// May contain the server's name and address.
    package let details: String
}

/// Limits for calls.
package struct HTTPLimits: Hashable, Sendable {
    package enum Answers: Hashable, Sendable {
        /// Reads the status only, and does not wait for the body. Each call uses a new connection:
        /// libcurl repeats a request if a reused connection breaks, and the number of executions
        /// would be unknown.
        case status
        /// Reads the whole answer. A longer body, after decoding, is a failure. Connections are
        /// reused.
        case whole(maxBytes: Int)
    }

    package let answers: Answers
    /// The maximum duration of a call; nil for no limit.
    package let totalSeconds: Int?
    /// The maximum time to connect, and the maximum time with less than one byte transferred each
    /// second.
    package let idleSeconds: Int
    /// Concurrent calls. Further calls wait; the waiting time does not count towards the other
    /// limits.
    package let calls: Int

    package init(answers: Answers, totalSeconds: Int? = nil, idleSeconds: Int, calls: Int) {
        self.answers = answers
        self.totalSeconds = totalSeconds
        self.idleSeconds = idleSeconds
        self.calls = calls
    }
}
