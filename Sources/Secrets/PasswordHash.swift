import Crypto
import Foundation

/// A password as it is stored: hashed with scrypt and a salt of its own, as
/// `scrypt$N$r$p$SALT$HASH` (salt and hash in Base64).
///
/// N = 2^15, r = 8, p = 3 takes 32 MiB for a moment, and is one of the settings that OWASP's
/// password storage cheat sheet recommends. A hash says by which settings it was made, so they can
/// be raised later without ending anyone's password.
package enum PasswordHash {
    /// Longer passwords are to be refused, so that nobody can make the server hash a book.
    package static let maxPasswordBytes = 1024

    /// Takes long, on purpose: about a tenth of a second of one core.
    package static func make(of password: String) throws -> String {
        let salt = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
        return try ScryptHash(of: password, salt: salt).text
    }

    /// Compares in constant time. Where the hash is nil or broken it takes as long as with a fresh
    /// one, and is false. A hash that asks for far more work than a fresh one counts as broken.
    package static func matches(_ password: String, hash: String?) -> Bool {
        let isSame = ScryptHash.comparand(hash).matches(password)
        return isSame && hash.flatMap(ScryptHash.init) != nil
    }
}
