/// A request of HTTP.
package struct HTTPCall: Hashable, Sendable {
    package let method: String
    /// Of `http` or `https`.
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

/// What came back. A redirect is an answer as any other. Where only the status counts there are no
/// headers and no body.
package struct HTTPAnswer: Hashable, Sendable {
    package let status: Int
    /// By their names in lower case; of those with the same name the first.
    package let headers: [String: String]
    package let body: [UInt8]

    package init(status: Int, headers: [String: String], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// There was no answer, or not all of it. What was asked for may be done all the same.
package struct HTTPCallFailure: Error, Hashable, Sendable {
    /// Says nothing of whom was called.
    package let reason: String
    /// May name the server, and what it is called by.
    package let details: String
}

/// What a caller puts up with.
package struct HTTPLimits: Hashable, Sendable {
    package enum Answers: Hashable, Sendable {
        /// Only the status counts, and nothing behind the head is waited for. Each call has a
        /// connection of its own: libcurl sends a request again where one breaks that was used
        /// before, and then nobody knows how often it was done.
        case status
        /// An answer with a longer body, unpacked, is a failure. Connections are used again.
        case whole(maxBytes: Int)
    }

    package let answers: Answers
    /// For a call as a whole; nil for as long as it goes on.
    package let totalSeconds: Int?
    /// So long may less than a byte a second come and go; to connect may take so long, too.
    package let idleSeconds: Int
    /// Calls at a time. Others wait for their turn, which no other limit counts.
    package let calls: Int

    package init(answers: Answers, totalSeconds: Int? = nil, idleSeconds: Int, calls: Int) {
        self.answers = answers
        self.totalSeconds = totalSeconds
        self.idleSeconds = idleSeconds
        self.calls = calls
    }
}
