/// The body of every error response.
package struct ErrorMessage: Codable, Hashable, Sendable {
    /// For programs; stable. The Wire page lists the codes.
    package var code: String
    /// The fault, for people.
    package var message: String
    /// The remedy, for people.
    package var help: String
    /// The values that the message mentions, by name.
    package var details: [String: String]

    package init(code: String, message: String, help: String, details: [String: String] = [:]) {
        self.code = code
        self.message = message
        self.help = help
        self.details = details
    }
}

/// The response to `GET /health`, `GET /ready` and `GET /v1/ENVIRONMENT/health`.
package struct HealthMessage: Codable, Hashable, Sendable {
    /// `ready` in the response to `GET /ready`, else `ok`; any other state is reported as an error.
    package var status: String
    /// Nil unless the health of an environment was asked for, like the digest.
    package var environment: String?
    /// The digest of the environment's current definition.
    package var digest: String?

    package init(status: String, environment: String? = nil, digest: String? = nil) {
        self.status = status
        self.environment = environment
        self.digest = digest
    }
}
