import HTTPTypes
import SyncServer

/// Errors of this wire.
extension HTTPFailure {
    static func bodyUnexpected() -> HTTPFailure {
        HTTPFailure(
            .badRequest, "bodyUnexpected", "a request for the live stream must not have a body",
            help: "send neither 'Transfer-Encoding' nor 'Content-Length'"
        ).with(.connection, "close")
    }

    static func tokenMissing() -> HTTPFailure {
        HTTPFailure(
            .unauthorized, "tokenMissing", "the request has no token",
            help: "sign in, then send the header 'Authorization: Bearer TOKEN'"
        ).with(.wwwAuthenticate, "Bearer")
    }

    static func parameterIllegal(_ name: String, _ fault: String) -> HTTPFailure {
        HTTPFailure(
            .badRequest, "parameterIllegal", "the parameter '\(name)' \(fault)",
            help: "the Wire page of the documentation shows what it may be",
            details: ["parameter": name])
    }

    static func tooManyResetRequests(_ seconds: Int64) -> HTTPFailure {
        HTTPFailure(
            .tooManyRequests, "tooManyResetRequests", "there were too many requests for resets",
            help: "try again in \(seconds) s", details: ["retryAfterSeconds": "\(seconds)"]
        ).with(.retryAfter, "\(seconds)")
    }

    static func digestMissing() -> HTTPFailure {
        HTTPFailure(
            .badRequest, "digestMissing", "the header Repr-Digest has no SHA-256 of the file",
            help: "send 'Repr-Digest: sha-256=:BASE64:', of the whole file")
    }

    static func lengthMissing() -> HTTPFailure {
        HTTPFailure(
            .lengthRequired, "lengthMissing", "nothing says how long the file is",
            help: "send Content-Length, or Content-Range with the length of the file")
    }

    static func rangeUnfit() -> HTTPFailure {
        HTTPFailure(
            .badRequest, "rangeUnfit", "the header Content-Range does not fit the body",
            help: "send 'Content-Range: bytes FIRST-LAST/TOTAL', counted from 0")
    }

    static func queryTooLong(maxBytes: Int) -> HTTPFailure {
        HTTPFailure(
            .uriTooLong, "queryTooLong", "the query of the URL is longer than \(maxBytes) bytes",
            help: "ask for less at once", details: ["maxBytes": "\(maxBytes)"])
    }
}
