import Crypto
import Foundation

/// Passwords are stored as scrypt hashes with a salt each, in the form `scrypt$N$r$p$SALT$HASH`
/// with salt and hash in Base64.
///
/// N = 2^15, r = 8, p = 3 needs 32 MiB of memory, and is one of the settings that OWASP's password
/// storage cheat sheet recommends. A hash includes its settings, so they can be raised later
/// without invalidating passwords.
package enum PasswordHash {
    /// Longer passwords must be refused, to bound the work of hashing.
    package static let maxPasswordBytes = 1024

    /// Deliberately slow: about a quarter of a second on one core.
    package static func make(of password: String) throws -> String {
        let salt = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
        return try ScryptHash(of: password, salt: salt).text
    }

    /// Compares in constant time. A nil or malformed hash takes as long as a current one and does
    /// not match. A hash that demands far more work than a current one counts as malformed.
    package static func matches(_ password: String, hash: String?) -> Bool {
        let isSame = ScryptHash.comparand(hash).matches(password)
        return isSame && hash.flatMap(ScryptHash.init) != nil
    }
}
