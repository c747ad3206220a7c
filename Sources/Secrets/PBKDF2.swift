import Hashing

/// PBKDF2 of RFC 8018 with HMAC-SHA-256, for systems that have nothing better.
struct PBKDF2: Equatable {
    /// The number of rounds that OWASP's password storage cheat sheet recommends.
    static let current = PBKDF2(rounds: 600_000)
    static let maxRounds = 3_000_000

    let rounds: Int

    private init(rounds: Int) {
        self.rounds = rounds
    }

    /// `$pbkdf2-sha256$i=ROUNDS`, as in the PHC string format.
    init?(_ text: String) {
        guard let match = text.wholeMatch(of: /\$pbkdf2-sha256\$i=(\d{1,9})/),
            let rounds = Int(match.1), 1...Self.maxRounds ~= rounds
        else { return nil }
        self.init(rounds: rounds)
    }

    var text: String { "$pbkdf2-sha256$i=\(rounds)" }

    /// As long as one hash, so there is one block.
    func key(for password: String, salt: [UInt8]) -> [UInt8] {
        let keyed = HMACSHA256(key: Array(password.utf8))
        var hash = keyed.hash(salt + [0, 0, 0, 1])
        var key = hash
        for _ in 1..<rounds {
            hash = keyed.hash(hash)
            for index in key.indices { key[index] ^= hash[index] }
        }
        return key
    }
}
