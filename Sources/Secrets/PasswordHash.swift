/// Passwords are stored as hashes that are slow to compute. Each has a salt and says how it was
/// made, so a better way can be chosen later without invalidating passwords.
///
/// New hashes are made by Argon2id with 19 MiB of memory and two passes, and where libsodium is
/// missing, as on Apple's systems, by PBKDF2-SHA256 with 600,000 rounds. OWASP's password storage
/// cheat sheet recommends both. Where libsodium is, hashes by scrypt, which earlier versions made,
/// match as well.
package enum PasswordHash {
    /// In place of the hash of a user without a password: no password matches it.
    package static let none = "$none$"

    /// Longer passwords must be refused, to bound the work of hashing.
    package static let maxPasswordBytes = 1024

    /// The least length of a new password where none is set, in characters.
    package static let standardMinLength = 8

    /// Whether a new password is neither too short, in characters (Unicode scalars), nor too long.
    /// A password that was accepted earlier stays valid.
    package static func isAcceptable(_ password: String, minLength: Int) -> Bool {
        password.unicodeScalars.count >= max(1, minLength)
            && password.utf8.count <= maxPasswordBytes
    }

    /// Deliberately slow: about 0.02 s on one core.
    package static func make(of password: String) throws -> String {
        try StoredHash(of: password, salt: randomBytes(StoredHash.saltByteCount)).text
    }

    /// Compares in constant time. A nil or malformed hash takes as long as a current one and does
    /// not match. A hash that demands far more work than a current one counts as malformed.
    package static func matches(_ password: String, hash: String?) -> Bool {
        let isSame = StoredHash.comparand(hash).matches(password)
        return isSame && hash.flatMap(StoredHash.init) != nil
    }

    /// False for a hash that is made otherwise now, and for a malformed one. When its password is
    /// known, it should be hashed again.
    package static func isCurrent(_ hash: String) -> Bool {
        StoredHash(hash)?.derivation == .current
    }
}
