package import HTTPTypes
import Hummingbird
package import Logging

/// An error response and its log entry. Clients do not see details of the server, so the two texts
/// differ.
package struct HTTPFailure: Error {
    package let status: HTTPResponse.Status
    /// For programs; stable.
    package let code: String
    /// The fault, for people.
    package let sentence: String
    /// The remedy, for people.
    package let help: String
    /// The values that the sentence mentions, by name.
    package let details: [String: String]
    package var headers: HTTPFields = [:]
    /// For the log only.
    package var cause: String?

    package init(
        _ status: HTTPResponse.Status, _ code: String, _ sentence: String, help: String,
        details: [String: String] = [:]
    ) {
        self.status = status
        self.code = code
        self.sentence = sentence.shortened
        self.help = help.shortened
        self.details = details.mapValues(\.shortened)
    }

    package func with(_ name: HTTPField.Name, _ value: String) -> HTTPFailure {
        var failure = self
        failure.headers[name] = value
        return failure
    }

    package func logging(_ cause: String) -> HTTPFailure {
        var failure = self
        failure.cause = cause
        return failure
    }

    /// Logs what the client does not see, if there is something.
    package func log(to logger: Logger) {
        guard let cause else { return }
        logger.error("request failed", metadata: ["cause": "\(cause)"])
    }
}

extension String {
    /// Shortens a text that may come from a client; valid names are shorter.
    var shortened: String {
        utf8.count <= 512 ? self : unicodeScalars.prefix(500).map(String.init).joined() + "…"
    }
}

extension HTTPFailure {
    package static func environmentUnknown(_ name: String) -> HTTPFailure {
        HTTPFailure(
            .notFound, "environmentUnknown", "this server has no environment '\(name)'",
            help: "correct the name; the operator can create one with 'waggle deploy'",
            details: ["environment": name])
    }

    static func pathUnknown(_ path: String) -> HTTPFailure {
        HTTPFailure(
            .notFound, "pathUnknown", "nothing is served at '\(path)'",
            help: "the documentation of each wire lists its paths",
            details: ["path": path])
    }

    static func methodNotAllowed(_ method: String, allowed: [String]) -> HTTPFailure {
        let names = allowed.joined(separator: ", ")
        return HTTPFailure(
            .methodNotAllowed, "methodNotAllowed", "this path takes no \(method)",
            help: "use \(names)", details: ["allowed": names]
        ).with(.allow, names)
    }

    static func bodyTooLarge(maxBytes: Int) -> HTTPFailure {
        HTTPFailure(
            .contentTooLarge, "bodyTooLarge", "the body is larger than \(maxBytes) bytes",
            help: "send fewer changes at once", details: ["maxBytes": "\(maxBytes)"])
    }

    /// A body of many small values, which need much more memory than the body.
    static func bodyTooDense(maxBytes: Int) -> HTTPFailure {
        HTTPFailure(
            .contentTooLarge, "bodyTooLarge",
            "the values of the body need more than \(maxBytes) bytes of memory",
            help: "send fewer changes at once", details: ["maxBytes": "\(maxBytes)"])
    }

    static func bodyTooSlow(seconds: Int) -> HTTPFailure {
        HTTPFailure(
            .requestTimeout, "bodyTooSlow", "the body did not arrive within \(seconds) s",
            help: "send fewer changes at once", details: ["seconds": "\(seconds)"]
        ).with(.connection, "close")
    }

    /// The body broke off, or its chunked encoding is invalid.
    package static func bodyBroken() -> HTTPFailure {
        HTTPFailure(
            .badRequest, "bodyBroken", "the body ended before it was complete",
            help: "send the request again"
        ).with(.connection, "close")
    }

    /// - Parameter fault: The fault, for people.
    static func malformed(_ fault: String) -> HTTPFailure {
        HTTPFailure(
            .badRequest, "badRequest", "the request is not valid HTTP: \(fault)",
            help: "correct the client"
        ).with(.connection, "close")
    }

    static func pathIllegal(_ part: String) -> HTTPFailure {
        HTTPFailure(
            .badRequest, "pathIllegal", "'\(part)' is not percent-encoded UTF-8",
            help: "encode each part of the path")
    }

    static func tooManyConnections(max: Int) -> HTTPFailure {
        HTTPFailure(
            .serviceUnavailable, "tooManyConnections",
            "there are \(max) connections from your address already",
            help: "close some, or use them for several requests; try again in a second",
            details: ["max": "\(max)"]
        ).with(.retryAfter, "1").with(.connection, "close")
    }

    static func passwordIllegal(minLength: Int, maxBytes: Int) -> HTTPFailure {
        HTTPFailure(
            .badRequest, "passwordIllegal", "the password is not acceptable",
            help: "use at least \(minLength) characters, and at most \(maxBytes) bytes",
            details: ["minLength": "\(minLength)", "maxBytes": "\(maxBytes)"])
    }

    static func overloaded(retryAfterSeconds: Int) -> HTTPFailure {
        HTTPFailure(
            .serviceUnavailable, "overloaded", "too many users are signing in",
            help: "try again in a second", details: ["retryAfterSeconds": "\(retryAfterSeconds)"]
        ).with(.retryAfter, "\(retryAfterSeconds)")
    }

    /// Load balancers read the status; the names are for the log, because anybody may ask.
    static func environmentsNotReady(_ names: [String]) -> HTTPFailure {
        HTTPFailure(
            .serviceUnavailable, "environmentsNotReady",
            "this server does not serve the definitions that are deployed",
            help: "it may be loading them; otherwise its log says why it cannot"
        ).with(.retryAfter, "1").logging(
            "environments that are not served as deployed: \(names.joined(separator: ", "))")
    }

    static func tooMuchWork() -> HTTPFailure {
        HTTPFailure(
            .serviceUnavailable, "tooMuchWork", "too many expensive requests are waiting",
            help: "send them one after the other; try again in a second"
        ).with(.retryAfter, "1")
    }

    /// The server had not begun with the request, or is about to stop.
    static func stopping() -> HTTPFailure {
        HTTPFailure(
            .serviceUnavailable, "stopping", "the server is stopping",
            help: "nothing was decided; send the same again in a second, or to another server"
        ).with(.retryAfter, "1")
    }

    /// The client has closed the connection, or its side of it, so that nobody may be there who
    /// waits. This is no failure of the server, and not logged.
    static func cancelled() -> HTTPFailure {
        HTTPFailure(
            .requestTimeout, "cancelled",
            "the client had closed its side of the connection before this was decided",
            help: "send the same again, on a connection that stays open in both directions"
        ).with(.retryAfter, "1").with(.connection, "close")
    }

    static func unexpected(_ error: any Error) -> HTTPFailure {
        HTTPFailure(
            .internalServerError, "internal", "the server failed",
            help: "send the same again, no change takes effect twice; if it persists, inform the "
                + "operator"
        ).logging("\(error)")
    }
}
