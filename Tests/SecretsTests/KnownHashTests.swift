import Foundation
import Secrets
import Testing

/// Hashes that something else made: what is stored matches for ever.
@Suite struct KnownHashTests {
    /// Made by the reference implementation of Argon2.
    @Test(arguments: [
        (
            "password",
            "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA"
                + "$T95q7S205tf9WI4HhYOZDIQmMMAbntacGXTIku0gXT8"
        ),
        (
            "password",
            "$argon2id$v=19$m=47104,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA"
                + "$QeS/gXBCESjSAaBczoeGQfm2GwTqZvm9ux3yeQqlMsk"
        ),
        (
            "",
            "$argon2id$v=19$m=64,t=3,p=1$MDEyMzQ1Njc4OWFiY2RlZg"
                + "$7uDD4c2ZCroP6umVVTx+UE4Ty6zXKLJloo5YX7iRSCQ"
        ),
        (
            "pass$wörd",
            "$argon2id$v=19$m=64,t=3,p=1$MDEyMzQ1Njc4OWFiY2RlZg"
                + "$6rLH6yU9MVmu7RYR4i0mMj8pZ2ETx7s4ihCW4Hf5Xok"
        ),
    ])
    func argon2id(password: String, hash: String) {
        expect(hash, matchesOnly: password)
    }

    /// Made by Waggle 0.1.
    @Test(arguments: [
        (
            "swordfish",
            "scrypt$32768$8$3$RBw4JQWYOmYK2ZpsbqHCKg=="
                + "$vh9nZ0B1avjENg/5mzsuUvYKyR5pxMSDXxsHQth6eIM="
        ),
        (
            "",
            "scrypt$32768$8$3$qWE6AgBenGpnPRoVcoJX3g=="
                + "$UOj4pUcVZ1XJLKOE7C/egGqyl7MNB4oqw2X1kGcoalU="
        ),
        (
            "p\u{0}ss 🐝",
            "scrypt$32768$8$3$r6h/j4zK9z/F0CkGABSd/w=="
                + "$pfvFSCFmARD1OPEktJdKeFq+2EPpOfWlnABwfMr3eZ4="
        ),
    ])
    func earlierVersions(password: String, hash: String) {
        expect(hash, matchesOnly: password)
    }

    /// RFC 7914, section 12. A 32-byte output is the first 32 of its 64 bytes.
    @Test(arguments: [
        ("", "", "16$1$1", "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"),
        (
            "password", "NaCl", "1024$8$16",
            "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
        ),
        (
            "pleaseletmein", "SodiumChloride", "16384$8$1",
            "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
        ),
    ])
    func scrypt(password: String, salt: String, settings: String, hex: String) {
        let salt = Data(salt.utf8).base64EncodedString()
        let hash = Data(bytes(fromHex: hex)).base64EncodedString()
        expect("scrypt$\(settings)$\(salt)$\(hash)", matchesOnly: password)
    }

    /// RFC 7914, section 11: the first 32 of its 64 bytes.
    @Test func pbkdf2() {
        let hash = "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
        let text = Data(bytes(fromHex: hash)).base64EncodedString().filter { $0 != "=" }
        expect("$pbkdf2-sha256$i=1$c2FsdA$\(text)", matchesOnly: "passwd")
    }

    private func expect(_ hash: String, matchesOnly password: String) {
        #expect(PasswordHash.matches(password, hash: hash))
        #expect(!PasswordHash.matches(password + " ", hash: hash))
    }
}

private func bytes(fromHex hex: String) -> [UInt8] {
    stride(from: 0, to: hex.count, by: 2).compactMap {
        UInt8(hex.dropFirst($0).prefix(2), radix: 16)
    }
}
