import HTTPTypes

extension HTTPFailure {
    package static func tooManySignIns(_ seconds: Int64) -> HTTPFailure {
        HTTPFailure(
            .tooManyRequests, "tooManySignIns",
            "too many sign-ins with providers have ended at this address",
            help: "try again in \(seconds) s", details: ["retryAfterSeconds": "\(seconds)"]
        ).with(.retryAfter, "\(seconds)")
    }
}
