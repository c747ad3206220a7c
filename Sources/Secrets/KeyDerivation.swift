/// A way to make a key of a password, with its settings.
enum KeyDerivation: Equatable {
    case argon2id(Argon2id)
    case scrypt(Scrypt)
    case pbkdf2(PBKDF2)

    #if canImport(CLibSodium)
        /// The one for new passwords.
        static let current = KeyDerivation.argon2id(.current)
    #else
        /// The one for new passwords: the best that the system has.
        static let current = KeyDerivation.pbkdf2(.current)
    #endif

    /// Nil unless the settings are valid and within the limits for a check: write access to a hash
    /// must not give control of the machine's memory.
    init?(_ text: String) {
        if let settings = Argon2id(text) {
            self = .argon2id(settings)
        } else if let settings = Scrypt(text) {
            self = .scrypt(settings)
        } else if let settings = PBKDF2(text) {
            self = .pbkdf2(settings)
        } else {
            return nil
        }
    }

    var text: String {
        switch self {
        case .argon2id(let settings): settings.text
        case .scrypt(let settings): settings.text
        case .pbkdf2(let settings): settings.text
        }
    }

    /// 32 bytes. Throws when there is no memory for the work.
    func key(for password: String, salt: [UInt8]) throws(KeyDerivationError) -> [UInt8] {
        switch self {
        case .argon2id(let settings): try settings.key(for: password, salt: salt)
        case .scrypt(let settings): try settings.key(for: password, salt: salt)
        case .pbkdf2(let settings): settings.key(for: password, salt: salt)
        }
    }

    func takes(salt: [UInt8]) -> Bool {
        switch self {
        case .argon2id: salt.count == Argon2id.saltByteCount
        case .scrypt, .pbkdf2: true
        }
    }

    /// Whether the Base64 of its hashes is padded: not in the PHC string format.
    var isPadded: Bool {
        switch self {
        case .argon2id, .pbkdf2: false
        case .scrypt: true
        }
    }
}

/// Why there is no key.
enum KeyDerivationError: Error {
    /// The memory that the settings demand is not to be had.
    case outOfMemory
    /// Nothing computes it on this system.
    case unavailable
}
