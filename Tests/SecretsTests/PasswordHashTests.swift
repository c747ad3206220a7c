import Foundation
import Testing

@testable import Secrets

@Suite struct PasswordHashTests {
    @Test(arguments: ["", "pass$w\u{0}rd 🐝", "a" + longTail])
    func hashVerifiesItsPassword(password: String) throws {
        #expect(PasswordHash.matches(password, hash: try PasswordHash.make(of: password)))
    }

    @Test func hashVerifiesNoOtherPassword() throws {
        let hash = try PasswordHash.make(of: "sword\u{E9}")
        for other in ["", "sword\u{E9} ", "Sword\u{E9}", "sworde\u{301}"] {
            #expect(!PasswordHash.matches(other, hash: hash), "\(other.debugDescription)")
        }
    }

    /// Nothing is truncated: neither at a zero, nor at the last byte of the longest password.
    @Test(arguments: [("a" + longTail, "a" + longTail.dropLast() + "y"), ("a\u{0}b", "a\u{0}c")])
    func everyByteOfPasswordCounts(password: String, other: String) throws {
        #expect(password.utf8.count <= PasswordHash.maxPasswordBytes)
        let hash = try PasswordHash.make(of: password)
        #expect(!PasswordHash.matches(other, hash: hash))
    }

    @Test func twoHashesOfOnePasswordDiffer() throws {
        let hashes = try (0..<2).map { _ in try PasswordHash.make(of: "swordfish") }
        #expect(hashes[0] != hashes[1])
        #expect(StoredHash(hashes[0])?.salt != StoredHash(hashes[1])?.salt)
    }

    @Test func hashContainsItsParameters() throws {
        let parts = try PasswordHash.make(of: "swordfish").split(separator: "$")
        #expect(parts.prefix(3) == ["argon2id", "v=19", "m=19456,t=2,p=1"])
        #expect(parts.count == 5)
        #expect(Data(base64Encoded: "\(parts[3])==")?.count == 16)
        #expect(Data(base64Encoded: "\(parts[4])=")?.count == 32)
    }

    @Test func hashSurvivesBeingWritten() throws {
        let text = try PasswordHash.make(of: "swordfish")
        #expect(StoredHash(text)?.text == text)
    }
}

/// An unknown user takes as much work as a known one, so the time does not tell them apart.
@Suite struct DecoyTests {
    @Test(arguments: [nil, "$argon2id$v=19$m=1048576,t=2,p=1$\(salt)$\(hash)"])
    func withoutUsableHashFreshOnesWorkIsDone(stored: String?) throws {
        let fresh = try #require(StoredHash(try PasswordHash.make(of: "swordfish")))
        let compared = StoredHash.comparand(stored)
        #expect(compared.derivation == fresh.derivation)
        #expect(compared.salt.count == fresh.salt.count)
        #expect(compared.hash.count == fresh.hash.count)
    }

    @Test func withoutHashNothingMatches() {
        #expect(!PasswordHash.matches("", hash: nil))
    }

    /// Otherwise a malformed hash would accept the password of the decoy.
    @Test func hashThatIsUsableIsTheOneCompared() throws {
        let text = try PasswordHash.make(of: "swordfish")
        #expect(StoredHash.comparand(text).text == text)
    }
}

private let longTail = String(repeating: "x", count: PasswordHash.maxPasswordBytes - 1)
private let salt = String(repeating: "A", count: 22)
private let hash = String(repeating: "A", count: 43)
