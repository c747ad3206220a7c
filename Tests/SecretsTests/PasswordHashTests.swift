import Foundation
import Testing

@testable import Secrets

@Suite struct PasswordHashTests {
    @Test(arguments: ["", "pass$w\u{0}rd 🐝", "a" + longTail])
    func aHashVerifiesItsPassword(password: String) throws {
        #expect(PasswordHash.matches(password, hash: try PasswordHash.make(of: password)))
    }

    @Test func aHashVerifiesNoOtherPassword() throws {
        let hash = try PasswordHash.make(of: "sword\u{E9}")
        for other in ["", "sword\u{E9} ", "Sword\u{E9}", "sworde\u{301}"] {
            #expect(!PasswordHash.matches(other, hash: hash), "\(other.debugDescription)")
        }
    }

    /// Nothing is truncated: the last byte of the longest password counts.
    @Test func everyByteOfALongPasswordCounts() throws {
        let password = "a" + longTail
        #expect(password.utf8.count == PasswordHash.maxPasswordBytes)
        let hash = try PasswordHash.make(of: password)
        #expect(!PasswordHash.matches(password.dropLast() + "y", hash: hash))
    }

    @Test func twoHashesOfOnePasswordDiffer() throws {
        let hashes = try (0..<2).map { _ in try PasswordHash.make(of: "swordfish") }
        #expect(hashes[0] != hashes[1])
        #expect(ScryptHash(hashes[0])?.salt != ScryptHash(hashes[1])?.salt)
    }

    @Test func aHashSaysHowItWasMade() throws {
        let parts = try PasswordHash.make(of: "swordfish").split(separator: "$")
        #expect(parts.prefix(4) == ["scrypt", "32768", "8", "3"])
        #expect(parts.count == 6)
        #expect(Data(base64Encoded: String(parts[4]))?.count == 16)
        #expect(Data(base64Encoded: String(parts[5]))?.count == 32)
    }

    @Test func aHashSurvivesBeingWritten() throws {
        let text = try PasswordHash.make(of: "swordfish")
        #expect(ScryptHash(text)?.text == text)
    }
}

/// An unknown user takes as much work as a known one, so the time does not tell them apart.
@Suite struct DecoyTests {
    @Test(arguments: [nil, "scrypt$1073741824$8$1$\(salt)$\(hash)"])
    func withoutAUsableHashAFreshOnesWorkIsDone(stored: String?) throws {
        let fresh = try #require(ScryptHash(try PasswordHash.make(of: "swordfish")))
        let compared = ScryptHash.comparand(stored)
        #expect(compared.settings == fresh.settings)
        #expect(compared.salt.count == fresh.salt.count)
        #expect(compared.hash.count == fresh.hash.count)
    }

    @Test func withoutAHashNothingMatches() {
        #expect(!PasswordHash.matches("", hash: nil))
    }

    /// Otherwise a malformed hash would accept the password of the decoy.
    @Test func aHashThatIsUsableIsTheOneCompared() throws {
        let text = try PasswordHash.make(of: "swordfish")
        #expect(ScryptHash.comparand(text).text == text)
    }
}

/// Vectors from RFC 7914, section 12. A 32-byte output is the first 32 of its 64 bytes.
@Suite struct ScryptVectorTests {
    @Test(arguments: [
        Vector(
            "", "", "16$1$1", "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"),
        Vector(
            "password", "NaCl", "1024$8$16",
            "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"),
        Vector(
            "pleaseletmein", "SodiumChloride", "16384$8$1",
            "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"),
    ])
    func theStandardsVectorsHold(vector: Vector) {
        #expect(PasswordHash.matches(vector.password, hash: vector.text))
        #expect(!PasswordHash.matches(vector.password + " ", hash: vector.text))
    }

    struct Vector: Sendable {
        let password: String
        let text: String

        init(_ password: String, _ salt: String, _ settings: String, _ hex: String) {
            self.password = password
            let salt = Data(salt.utf8).base64EncodedString()
            let hash = Data(bytes(fromHex: hex)).base64EncodedString()
            text = "scrypt$\(settings)$\(salt)$\(hash)"
        }
    }
}

private let longTail = String(repeating: "x", count: PasswordHash.maxPasswordBytes - 1)
private let salt = Data(repeating: 1, count: 16).base64EncodedString()
private let hash = Data(repeating: 2, count: 32).base64EncodedString()

private func bytes(fromHex hex: String) -> [UInt8] {
    stride(from: 0, to: hex.count, by: 2).compactMap {
        UInt8(hex.dropFirst($0).prefix(2), radix: 16)
    }
}
