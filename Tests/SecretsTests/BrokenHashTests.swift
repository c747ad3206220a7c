import Foundation
import Testing

@testable import Secrets

/// Any text in the database makes a check false, without a crash and within memory limits.
@Suite struct BrokenHashTests {
    static let salt = Data(repeating: 1, count: 16).base64EncodedString()
    static let hash = Data(repeating: 2, count: 32).base64EncodedString()

    @Test func theRestOfTheTableIsBrokenInOneWayOnly() {
        #expect(ScryptHash("scrypt$32768$8$3$\(Self.salt)$\(Self.hash)") != nil)
    }

    @Test(arguments: [
        "", "$", "$$$$$", "swordfish", "scrypt", "scrypt$32768$8$3",
        "scrypt$32768$8$3$\(salt)", "scrypt$32768$8$3$\(salt)$\(hash)$", "$\(salt)$\(hash)",
        "bcrypt$32768$8$3$\(salt)$\(hash)", "SCRYPT$32768$8$3$\(salt)$\(hash)",
        " scrypt$32768$8$3$\(salt)$\(hash)", "scrypt$32768$8$3$\(salt)$\(hash)\n",
        "scrypt$32768$8$3$not Base64$\(hash)", "scrypt$32768$8$3$\(salt)$not Base64",
        "scrypt$32768$8$3$\(salt)$", "scrypt$32768$8$3$\(salt)$AAAA",
        "scrypt$32768$8$3$\(salt)$\(Data(count: 31).base64EncodedString())",
        "scrypt$32768$8$3$\(salt)$\(Data(count: 33).base64EncodedString())",
    ])
    func aHashOfAnotherFormIsNone(text: String) {
        #expect(ScryptHash(text) == nil)
    }

    @Test(arguments: [
        // Not numbers
        "$8$3", "x$8$3", "32768$$3", "32768$8$", "0x8000$8$3", "3e4$8$3", "32768.0$8$3",
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
    func absurdSettingsAreRefused(settings: String) {
        let text = "scrypt$\(settings)$\(Self.salt)$\(Self.hash)"
        #expect(ScryptHash(text) == nil)
    }

    /// Some of both tables, checked completely; each takes as long as a current hash.
    @Test(arguments: ["", "swordfish", "scrypt$1073741824$8$1$\(salt)$\(hash)"])
    func aBrokenHashMatchesNothing(text: String) {
        #expect(!PasswordHash.matches("swordfish", hash: text))
    }

    @Test(arguments: ["2$1$1", "131072$8$1", "131072$8$4", "32768$8$16", "2$1$2097152"])
    func settingsUpToTheLimitsAreTaken(settings: String) {
        #expect(ScryptHash("scrypt$\(settings)$\(Self.salt)$\(Self.hash)") != nil)
    }

    /// The underlying library may have limits of its own.
    @Test(arguments: ["2$1$1", "131072$8$1", "2$524288$1"])
    func whatIsTakenCanBeCompared(settings: String) {
        let text = "scrypt$\(settings)$\(Self.salt)$\(Self.hash)"
        #expect(!PasswordHash.matches("swordfish", hash: text))
    }
}
