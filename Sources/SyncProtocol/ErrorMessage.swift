/// The one shape of every error that the server answers with.
package struct ErrorMessage: Codable, Hashable, Sendable {
    /// Stable, for programs; the Wire page lists them.
    package var code: String
    /// What was found.
    package var message: String
    /// What to do about it.
    package var help: String
    /// What the message is about, by name.
    package var details: [String: String]

    package init(code: String, message: String, help: String, details: [String: String] = [:]) {
        self.code = code
        self.message = message
        self.help = help
        self.details = details
    }
}

/// `GET /health`, and of one environment `GET /v1/ENVIRONMENT/health`.
package struct HealthMessage: Codable, Hashable, Sendable {
    /// `ok`; anything else comes as an error.
    package var status: String
    /// Nil where it is of no single environment.
    package var environment: String?
    /// The digest of the environment's current definition.
    package var digest: String?

    package init(status: String, environment: String? = nil, digest: String? = nil) {
        self.status = status
        self.environment = environment
        self.digest = digest
    }
}
