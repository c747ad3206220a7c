/// A server of SMTP that takes mails, as the operator describes it.
package struct MailServer: Hashable, Sendable {
    package enum Security: String, Hashable, Sendable, CaseIterable {
        /// TLS from the first byte.
        case tls
        /// TLS by STARTTLS; without it nothing is sent.
        case startTLS = "starttls"
        /// Neither. For servers on the same machine.
        case none
    }

    package let host: String
    package let port: Int
    package let security: Security
    package let sender: MailAddress
    /// Nil if the server wants no credentials.
    package let credentials: MailCredentials?

    package init(
        host: String, port: Int, security: Security, sender: MailAddress,
        credentials: MailCredentials?
    ) {
        self.host = host
        self.port = port
        self.security = security
        self.sender = sender
        self.credentials = credentials
    }

    var address: String {
        (security == .tls ? "smtps" : "smtp") + "://\(host):\(port)/\(sender.domain)"
    }
}

/// User and password at a mail server. It has no readable description.
package struct MailCredentials: Hashable, Sendable, CustomStringConvertible {
    let user: String
    let password: String

    package init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    package var description: String { "…" }
}

/// A mail that the server did not take.
package struct MailFailure: Error, Hashable, Sendable {
    /// Whether the server may take it later.
    package let isTemporary: Bool
    /// For the log. It has no secret and no text of the mail.
    package let reason: String
}
