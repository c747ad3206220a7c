import Crypto
import CryptoExtras
import Foundation

/// A password as it is stored: hashed with scrypt and a salt of its own, as
/// `scrypt$N$r$p$SALT$HASH` (salt and hash in Base64).
///
/// N = 2^15, r = 8, p = 3 takes 32 MiB for a moment, and is one of the settings that OWASP's
/// password storage cheat sheet recommends. A hash says by which settings it was made, so they can
/// be raised later without ending anyone's password.
package enum PasswordHash {
    /// Longer passwords are refused, so that nobody can make the server hash a book.
    package static let maxPasswordBytes = 1024

    /// Takes long, on purpose: about a tenth of a second of one core.
    package static func make(of password: String) throws -> String {
        let salt = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
        var parts = Parts(salt: salt, hash: Data())
        parts.hash = try parts.key(for: password).withUnsafeBytes { Data($0) }
        return parts.text
    }

    /// Compares in constant time. With nil for a hash it takes as long as with one, and is false.
    package static func matches(_ password: String, hash: String?) -> Bool {
        guard let hash, let parts = Parts(hash) else {
            _ = matches(password, hash: decoy)
            return false
        }
        guard let key = try? parts.key(for: password) else { return false }
        return key == SymmetricKey(data: parts.hash)
    }

    /// Of no password: compared with where there is no user, to take the same time.
    private static let decoy = Parts(
        salt: Data(repeating: 0, count: 16), hash: Data(repeating: 0, count: 32)
    ).text
}

private struct Parts {
    var rounds = 1 << 15
    var blockSize = 8
    var parallelism = 3
    var salt: Data
    var hash: Data

    init(salt: Data, hash: Data) {
        self.salt = salt
        self.hash = hash
    }

    init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]),
            let blockSize = Int(parts[2]), let parallelism = Int(parts[3]),
            let salt = Data(base64Encoded: String(parts[4])),
            let hash = Data(base64Encoded: String(parts[5])), !hash.isEmpty
        else { return nil }
        self.init(salt: salt, hash: hash)
        (self.rounds, self.blockSize, self.parallelism) = (rounds, blockSize, parallelism)
    }

    var text: String {
        [
            "scrypt", "\(rounds)", "\(blockSize)", "\(parallelism)", salt.base64EncodedString(),
            hash.base64EncodedString(),
        ].joined(separator: "$")
    }

    func key(for password: String) throws -> SymmetricKey {
        try KDF.Scrypt.deriveKey(
            from: Array(password.utf8), salt: salt, outputByteCount: 32, rounds: rounds,
            blockSize: blockSize, parallelism: parallelism)
    }
}
