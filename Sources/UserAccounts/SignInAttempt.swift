import Hashing

/// An attempt to sign in, before its password is verified.
package struct SignInAttempt: Hashable, Sendable {
    package let credentials: Credentials
    /// Nil for a text that is no login. No user has it, and no failure of it is counted.
    let source: SignInSource?
    /// Whether the device has signed in as this user before.
    package let isOfKnownDevice: Bool
}

extension SignInAttempt {
    /// The login in its normal form, or the given text if it is no login.
    package var login: String { source?.login ?? credentials.login }

    /// The source that it shares with all devices which have not signed in as the user before; nil
    /// for a device that has.
    var strangers: SignInSource? {
        isOfKnownDevice ? nil : source.map { SignInSource(ofAllStrangersTo: $0.login) }
    }
}

/// The source of attempts to sign in as a user. Failures are counted for each source separately.
///
/// A device that has signed in before is a source of its own: nobody who does not know its
/// identifier can make it wait. All other devices at one address are one source.
package struct SignInSource: Hashable, Sendable {
    package let login: String
    /// A hash of 16 bytes, so that a row is small whatever a client sends.
    package let origin: [UInt8]

    package init(login: String, origin: [UInt8]) {
        self.login = login
        self.origin = origin
    }

    /// All devices that have not signed in as the user before, at any address.
    init(ofAllStrangersTo login: String) { self.init(login: login, origin: Self.strangers) }

    /// No address and no device has it.
    private static let strangers = [UInt8](repeating: 0, count: 16)

    /// `knownDevice` is the identifier of a device that has signed in before, otherwise nil.
    init(login: String, address: String, knownDevice: String?) {
        let texts = [address] + (knownDevice.map { [$0] } ?? [])
        let bytes = Array(texts.joined(separator: "\0").utf8)
        self.init(login: login, origin: Array(SHA256.hash(bytes).prefix(16)))
    }
}
