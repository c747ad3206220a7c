#if canImport(CLibSodium)
    import CLibSodium
#endif

/// Argon2id of RFC 9106, version 1.3, without parallelism.
struct Argon2id: Equatable {
    /// OWASP's first choice. The memory is 19 MiB.
    static let current = Argon2id(memoryKiB: 19_456, passes: 2)
    /// 128 MiB.
    static let maxMemoryKiB = 1 << 17
    /// KiB times passes: some 13 times the work of the current settings.
    static let maxWork = 1 << 19
    static let saltByteCount = 16

    let memoryKiB: Int
    let passes: Int

    private init(memoryKiB: Int, passes: Int) {
        self.memoryKiB = memoryKiB
        self.passes = passes
    }

    /// `$argon2id$v=19$m=KIB,t=PASSES,p=1`, as in the PHC string format.
    init?(_ text: String) {
        guard let match = text.wholeMatch(of: /\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=1/),
            let memoryKiB = Int(match.1), let passes = Int(match.2),
            8...Self.maxMemoryKiB ~= memoryKiB, passes > 0, memoryKiB * passes <= Self.maxWork
        else { return nil }
        self.init(memoryKiB: memoryKiB, passes: passes)
    }

    var text: String { "$argon2id$v=19$m=\(memoryKiB),t=\(passes),p=1" }

    #if canImport(CLibSodium)
        /// The salt must have 16 bytes.
        func key(for password: String, salt: [UInt8]) throws(KeyDerivationError) -> [UInt8] {
            guard isSodiumReady, salt.count == Self.saltByteCount else { throw .unavailable }
            var key = [UInt8](repeating: 0, count: StoredHash.byteCount)
            let status = crypto_pwhash(
                &key, UInt64(key.count), Array(password.utf8CString),
                UInt64(password.utf8.count), salt, UInt64(passes), memoryKiB << 10,
                crypto_pwhash_ALG_ARGON2ID13)
            guard status == 0 else { throw .outOfMemory }
            return key
        }
    #else
        func key(for password: String, salt: [UInt8]) throws(KeyDerivationError) -> [UInt8] {
            throw .unavailable
        }
    #endif
}

#if canImport(CLibSodium)
    /// libsodium finds out what the processor can do.
    private let isSodiumReady = sodium_init() >= 0
#endif
