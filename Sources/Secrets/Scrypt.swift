#if canImport(CLibSodium)
    import CLibSodium
#endif

/// scrypt of RFC 7914, with its cost parameters N, r and p. Earlier versions made hashes by it,
/// with N = 2^15, r = 8 and p = 3.
struct Scrypt: Equatable {
    /// 128 MiB of memory.
    static let maxRoundsTimesBlockSize = 1 << 20
    /// About five times the work of the settings that were used.
    static let maxWork = 1 << 22

    let rounds: Int
    let blockSize: Int
    let parallelism: Int

    /// `scrypt$N$r$p`.
    init?(_ text: String) {
        guard let match = text.wholeMatch(of: /scrypt\$(\d{1,9})\$(\d{1,9})\$(\d{1,9})/),
            let rounds = Int(match.1), let blockSize = Int(match.2),
            let parallelism = Int(match.3), blockSize > 0, parallelism > 0,
            rounds > 1, rounds.nonzeroBitCount == 1,
            rounds * blockSize <= Self.maxRoundsTimesBlockSize,
            rounds * blockSize * parallelism <= Self.maxWork
        else { return nil }
        self.rounds = rounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    var text: String { "scrypt$\(rounds)$\(blockSize)$\(parallelism)" }

    #if canImport(CLibSodium)
        func key(for password: String, salt: [UInt8]) throws(KeyDerivationError) -> [UInt8] {
            var key = [UInt8](repeating: 0, count: StoredHash.byteCount)
            let status = crypto_pwhash_scryptsalsa208sha256_ll(
                Array(password.utf8), password.utf8.count, salt, salt.count, UInt64(rounds),
                UInt32(blockSize), UInt32(parallelism), &key, key.count)
            guard status == 0 else { throw .outOfMemory }
            return key
        }
    #else
        func key(for password: String, salt: [UInt8]) throws(KeyDerivationError) -> [UInt8] {
            throw .unavailable
        }
    #endif
}
