import Secrets
import Testing

@Suite struct BearerTokenTests {
    @Test func tokenIs43URLSafeCharacters() {
        for _ in 0..<1000 {
            let token = BearerToken.make()
            #expect(token.wholeMatch(of: /[A-Za-z0-9_\-]{43}/) != nil, "\(token)")
        }
    }

    @Test func noTokenComesTwice() {
        #expect(Set((0..<1000).map { _ in BearerToken.make() }).count == 1000)
    }

    @Test func tokenDiffersFromItsStoredHash() {
        let token = BearerToken.make()
        let stored = BearerToken.hash(token)
        #expect(stored.count == 32)
        #expect(stored != Array(token.utf8))
        #expect(stored == BearerToken.hash(token))
        #expect(stored != BearerToken.hash(BearerToken.make()))
    }

    /// The SHA-256 of `abc` from FIPS 180-4: stored hashes stay valid when this code changes.
    @Test func storedHashIsSHA256() {
        let expected: [UInt8] = [
            0xBA, 0x78, 0x16, 0xBF, 0x8F, 0x01, 0xCF, 0xEA, 0x41, 0x41, 0x40, 0xDE, 0x5D, 0xAE,
            0x22, 0x23, 0xB0, 0x03, 0x61, 0xA3, 0x96, 0x17, 0x7A, 0x9C, 0xB4, 0x10, 0xFF, 0x61,
            0xF2, 0x00, 0x15, 0xAD,
        ]
        #expect(BearerToken.hash("abc") == expected)
    }
}
