package import SyncEngine

/// A record that serves one sign-in: the code of a sign-in in a browser, or the mark that an
/// ID token was used.
package struct SignInTicket: Hashable, Sendable {
    /// The hash of the secret; unique in its environment.
    package let hash: [UInt8]
    /// The state of the sign-in, without secrets.
    package let body: String
    package let expiresAt: Instant

    package init(hash: [UInt8], body: String, expiresAt: Instant) {
        self.hash = hash
        self.body = body
        self.expiresAt = expiresAt
    }
}

/// The result of storing a ticket.
package enum SignInTicketAddition: Hashable, Sendable {
    case added
    /// There is one with the same hash, with this body.
    case present(body: String)
    /// The environment has as many as it may have.
    case full
}
