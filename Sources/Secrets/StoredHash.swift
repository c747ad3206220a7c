import Foundation

/// A password's hash, with all that is needed to compute it again.
///
/// Its text is `SETTINGS$SALT$HASH`, with salt and hash in Base64.
struct StoredHash {
    static let byteCount = 32
    /// The salt of a new hash.
    static let saltByteCount = 16

    let derivation: KeyDerivation
    let salt: [UInt8]
    let hash: [UInt8]

    /// Stands in for a missing hash, so that the same work is done.
    static let decoy = StoredHash(
        derivation: .current, salt: [UInt8](repeating: 0, count: saltByteCount),
        hash: [UInt8](repeating: 0, count: byteCount))

    /// Nil if the text is not the one that these settings, salt and hash have, or demands more work
    /// than a check may take.
    init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard let derivation = KeyDerivation(parts.dropLast(2).joined(separator: "$")),
            let salt = bytes(base64: parts.dropLast().last), derivation.takes(salt: salt),
            let hash = bytes(base64: parts.last), hash.count == Self.byteCount
        else { return nil }
        self.init(derivation: derivation, salt: salt, hash: hash)
        guard self.text == text else { return nil }
    }

    init(of password: String, salt: [UInt8]) throws {
        let hash = try KeyDerivation.current.key(for: password, salt: salt)
        self.init(derivation: .current, salt: salt, hash: hash)
    }

    private init(derivation: KeyDerivation, salt: [UInt8], hash: [UInt8]) {
        self.derivation = derivation
        self.salt = salt
        self.hash = hash
    }

    /// The parsed hash, or the decoy for a malformed text.
    static func comparand(_ text: String?) -> StoredHash { text.flatMap(Self.init) ?? decoy }

    /// Compares in constant time.
    func matches(_ password: String) -> Bool {
        guard let key = try? derivation.key(for: password, salt: salt) else { return false }
        return zip(key, hash).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    var text: String {
        let fields = [salt, hash].map { bytes in
            let text = Data(bytes).base64EncodedString()
            return derivation.isPadded ? text : text.filter { $0 != "=" }
        }
        return ([derivation.text] + fields).joined(separator: "$")
    }
}

/// The bytes of Base64 with or without padding.
private func bytes(base64 text: Substring?) -> [UInt8]? {
    guard let text else { return nil }
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    return Data(base64Encoded: text + padding).map { [UInt8]($0) }
}
