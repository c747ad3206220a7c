import Crypto
import CryptoExtras
import Foundation

/// A hash by scrypt, with all parameters to compute it again.
struct ScryptHash {
    static let byteCount = 32

    let settings: Settings
    let salt: Data
    let hash: Data

    /// Stands in for a missing hash, so that the same work is done.
    static let decoy = ScryptHash(
        settings: .current, salt: Data(repeating: 0, count: 16),
        hash: Data(repeating: 0, count: byteCount))

    /// Nil if the text is malformed or demands more work than a check may take.
    init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt",
            let settings = Settings(parts[1...3]),
            let salt = Data(base64Encoded: String(parts[4])),
            let hash = Data(base64Encoded: String(parts[5])), hash.count == Self.byteCount
        else { return nil }
        self.init(settings: settings, salt: salt, hash: hash)
    }

    init(of password: String, salt: Data) throws {
        let key = try Self.key(for: password, salt: salt, settings: .current)
        self.init(settings: .current, salt: salt, hash: key.withUnsafeBytes { Data($0) })
    }

    private init(settings: Settings, salt: Data, hash: Data) {
        self.settings = settings
        self.salt = salt
        self.hash = hash
    }

    /// The parsed hash, or the decoy for a malformed text.
    static func comparand(_ text: String?) -> ScryptHash { text.flatMap(Self.init) ?? decoy }

    /// Compares in constant time.
    func matches(_ password: String) -> Bool {
        let key = try? Self.key(for: password, salt: salt, settings: settings)
        return key == SymmetricKey(data: hash)
    }

    var text: String {
        [
            "scrypt", "\(settings.rounds)", "\(settings.blockSize)", "\(settings.parallelism)",
            salt.base64EncodedString(), hash.base64EncodedString(),
        ].joined(separator: "$")
    }

    private static func key(
        for password: String, salt: Data, settings: Settings
    ) throws -> SymmetricKey {
        try KDF.Scrypt.deriveKey(
            from: Array(password.utf8), salt: salt, outputByteCount: byteCount,
            rounds: settings.rounds, blockSize: settings.blockSize,
            parallelism: settings.parallelism)
    }
}

extension ScryptHash {
    /// The cost parameters N, r and p of RFC 7914.
    struct Settings: Equatable {
        static let current = Settings(rounds: 1 << 15, blockSize: 8, parallelism: 3)
        /// 128 MiB of memory: four times that of the current settings.
        static let maxRoundsTimesBlockSize = 1 << 20
        /// About five times the work of the current settings.
        static let maxWork = 1 << 22

        let rounds: Int
        let blockSize: Int
        let parallelism: Int

        private init(rounds: Int, blockSize: Int, parallelism: Int) {
            self.rounds = rounds
            self.blockSize = blockSize
            self.parallelism = parallelism
        }

        /// Nil unless the settings are valid and within the limits for a check: write access to a
        /// hash must not give control of the machine's memory.
        fileprivate init?(_ parts: ArraySlice<Substring>) {
            let numbers = parts.compactMap { Int($0) }.filter { 1...Self.maxWork ~= $0 }
            guard numbers.count == 3, numbers[0] > 1, numbers[0].nonzeroBitCount == 1 else {
                return nil
            }
            self.init(rounds: numbers[0], blockSize: numbers[1], parallelism: numbers[2])
            guard rounds * blockSize <= Self.maxRoundsTimesBlockSize,
                rounds * blockSize * parallelism <= Self.maxWork
            else { return nil }
        }
    }
}
