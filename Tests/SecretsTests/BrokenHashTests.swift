import Testing

@testable import Secrets

/// Any text in the database makes a check false, without a crash and within memory limits.
@Suite struct BrokenHashTests {
    @Test(arguments: [
        "$argon2id$v=19$m=19456,t=2,p=1$\(salt)$\(hash)", "scrypt$32768$8$3$\(salt)==$\(hash)=",
        "$pbkdf2-sha256$i=600000$\(salt)$\(hash)",
    ])
    func restOfTablesIsBrokenInOneWayOnly(text: String) {
        #expect(StoredHash(text) != nil)
    }

    @Test(arguments: [
        "", "$", "$$", "$$$$$", "swordfish", "\(salt)$\(hash)", "$\(salt)$\(hash)", "argon2id",
        "scrypt", "bcrypt$32768$8$3$\(salt)==$\(hash)=",
        "$argon2i$v=19$m=19456,t=2,p=1$\(salt)$\(hash)",
        "$2b$12$aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    ])
    func hashesOfOtherAlgorithmsAreRefused(text: String) {
        #expect(StoredHash(text) == nil)
    }

    @Test(arguments: [
        "", "$", "$\(salt)", "$\(salt)$", "$\(salt)$\(hash)$", "$\(salt)$\(hash)\n",
        "$\(salt)$\(hash)=", "$\(salt)==$\(hash)", "$\(salt)$\(hash)A", "$\(salt)$AAAA",
        "$not Base64$\(hash)", "$\(salt)$not Base64", "$$\(hash)",
        // Bits that are not zero after the last byte
        "$\(salt)$\(hash.dropLast())B", "$\(salt.dropLast())B$\(hash)",
        // A salt of 15 bytes, and of 17
        "$AAAAAAAAAAAAAAAAAAAA$\(hash)", "$AAAAAAAAAAAAAAAAAAAAAAA$\(hash)",
    ])
    func malformedSaltsAndHashesAreRefused(rest: String) {
        #expect(StoredHash("$argon2id$v=19$m=19456,t=2,p=1" + rest) == nil)
    }

    @Test(arguments: [
        "", "$", "$\(salt)==", "$\(salt)==$", "$\(salt)==$\(hash)=$", "$\(salt)==$\(hash)=\n",
        "$\(salt)$\(hash)=", "$\(salt)==$\(hash)", "$not Base64$\(hash)=",
        "$\(salt)==$not Base64", "$\(salt)==$AAAA", "$\(salt)==$\(hash)A",
        "$\(salt)==$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    ])
    func saltOrHashOfScryptIsPadded(rest: String) {
        #expect(StoredHash("scrypt$32768$8$3" + rest) == nil)
    }

    @Test(arguments: [
        // Another version of the algorithm, or none
        "v=16$m=19456,t=2,p=1", "m=19456,t=2,p=1", "v=19", "v=19$", "v=$m=19456,t=2,p=1",
        // Another order, or other parameters
        "v=19$t=2,m=19456,p=1", "v=19$m=19456,t=2", "v=19$m=19456,t=2,p=1,keyid=AA",
        // Not numbers, or not as they are written
        "v=19$m=,t=2,p=1", "v=19$m=19456,t=x,p=1", "v=19$m=0x4C00,t=2,p=1", "v=19$m=+19456,t=2,p=1",
        "v=19$m=019456,t=2,p=1", "v=19$m=19456,t=02,p=1", "v=19$m=19456, t=2, p=1",
        "v=19$m=١٩٤٥٦,t=2,p=1",
        // Outside the definition, or not computed here
        "v=19$m=7,t=2,p=1", "v=19$m=0,t=2,p=1", "v=19$m=-19456,t=2,p=1", "v=19$m=19456,t=0,p=1",
        "v=19$m=19456,t=-2,p=1", "v=19$m=19456,t=2,p=0", "v=19$m=19456,t=2,p=2",
        // Too much memory
        "v=19$m=131073,t=1,p=1", "v=19$m=4194304,t=1,p=1",
        // Too much time
        "v=19$m=131072,t=5,p=1", "v=19$m=19456,t=27,p=1", "v=19$m=8,t=65537,p=1",
        // Overflowing numbers
        "v=19$m=999999999,t=999999999,p=1", "v=19$m=9223372036854775808,t=2,p=1",
        "v=19$m=19456,t=18446744073709551618,p=1",
    ])
    func absurdSettingsOfArgon2idAreRefused(settings: String) {
        #expect(StoredHash("$argon2id$\(settings)$\(salt)$\(hash)") == nil)
    }

    @Test(arguments: [
        // Not numbers
        "$8$3", "x$8$3", "32768$$3", "32768$8$", "0x8000$8$3", "3e4$8$3", "32768.0$8$3",
        "٣٢٧٦٨$8$3",
        // Outside the definition of scrypt
        "0$8$3", "1$8$3", "-32768$8$3", "32767$8$3", "32769$8$3", "32768$0$3", "32768$-8$3",
        "32768$8$0", "32768$8$-3",
        // Too much memory
        "1073741824$8$1", "1048576$8$1", "262144$8$1", "131072$9$1", "2$1048576$1",
        // Too much time
        "32768$8$17", "131072$8$5", "2$1$2097153", "16$1$1073741823",
        // Overflowing numbers
        "4611686018427387904$8$3", "9223372036854775807$8$3", "9223372036854775808$8$3",
        "32768$9223372036854775807$3", "32768$8$9223372036854775807",
        "2147483648$2147483648$2147483648",
    ])
    func absurdSettingsOfScryptAreRefused(settings: String) {
        #expect(StoredHash("scrypt$\(settings)$\(salt)==$\(hash)=") == nil)
    }

    @Test(arguments: ["", "0", "-1", "+1", "01", "x", "3000001", "9223372036854775808"])
    func absurdSettingsOfPBKDF2AreRefused(rounds: String) {
        #expect(StoredHash("$pbkdf2-sha256$i=\(rounds)$\(salt)$\(hash)") == nil)
    }

    /// Some of each table, checked completely; each takes as long as a current hash.
    @Test(arguments: [
        "", "swordfish", "$argon2id$v=19$m=4194304,t=1,p=1$\(salt)$\(hash)",
        "scrypt$1073741824$8$1$\(salt)==$\(hash)=",
    ])
    func brokenHashMatchesNothing(text: String) {
        #expect(!PasswordHash.matches("swordfish", hash: text))
    }

    @Test(arguments: [
        "$argon2id$v=19$m=8,t=1,p=1$", "$argon2id$v=19$m=131072,t=4,p=1$",
        "$argon2id$v=19$m=8,t=65536,p=1$", "$argon2id$v=19$m=47104,t=1,p=1$",
        "$argon2id$v=19$m=12288,t=3,p=1$", "$argon2id$v=19$m=7168,t=5,p=1$",
        "$pbkdf2-sha256$i=3000000$",
    ])
    func settingsUpToLimitsAreTaken(start: String) {
        #expect(StoredHash(start + "\(salt)$\(hash)") != nil)
    }

    @Test(arguments: ["2$1$1", "131072$8$1", "131072$8$4", "32768$8$16", "2$1$2097152"])
    func settingsOfScryptUpToLimitsAreTaken(settings: String) {
        #expect(StoredHash("scrypt$\(settings)$\(salt)==$\(hash)=") != nil)
    }

    /// The underlying library may have limits of its own. That a key comes at all is no match.
    @Test(arguments: [
        "$argon2id$v=19$m=8,t=1,p=1$\(salt)$\(hash)",
        "$argon2id$v=19$m=131072,t=1,p=1$\(salt)$\(hash)",
        "scrypt$2$1$1$\(salt)==$\(hash)=", "scrypt$131072$8$1$\(salt)==$\(hash)=",
        "scrypt$2$524288$1$\(salt)==$\(hash)=",
    ])
    func acceptedParametersAreComputable(text: String) throws {
        let stored = try #require(StoredHash(text))
        let key = try stored.derivation.key(for: "swordfish", salt: stored.salt)
        #expect(key.count == StoredHash.byteCount)
        #expect(!PasswordHash.matches("swordfish", hash: text))
    }
}

/// 16 bytes and 32 in Base64, but for the padding that scrypt's form has: `==` and `=`.
private let salt = String(repeating: "A", count: 22)
private let hash = String(repeating: "A", count: 43)
