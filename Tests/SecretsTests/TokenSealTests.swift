import TestKit
import Testing

@testable import Secrets

@Suite("Sealed texts cannot be read or forged without the key")
struct TokenSealTests {
    private let seal = TokenSeal(key: Array(repeating: 7, count: 32))

    @Test(arguments: [0, 1, 15, 16, 17, 300, 5000])
    func sealedTokenIsOpened(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let text = try #require(seal.seal(bytes))
        #expect(text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "+") })
        #expect(seal.open(text) == bytes)
        #expect(seal.seal(bytes) == text)
    }

    /// Clients hold tokens that earlier versions sealed.
    @Test(arguments: [
        (0, "n3Zs7mlgoWofXts9mrTIhmiz7Sd7gNb8F-ANpw"),
        (1, "WwfCPsRSpSAf8rsoUqE_oUphUSBLq1esRB2gS3A"),
        (15, "mKBxSeIEUZrze4ymJWe-L0Fcr1jxfaWfV7Bh8a7VrvzmrSPJ_VOHW-WBNw"),
        (16, "US6B9EyWqJWJ-A_4z5OdNjedqGwdHd38FqRECmeegUzfRFrHjWyetZI9Xm4"),
        (
            17,
            "3f0_DYyrXL6Fn-7VVXNsfeKzdsQHFJl4dTSqew2LsSZWCc5ZeaxZ4oFwD8Ok"
        ),
    ])
    func sealIsThatOfEarlierVersions(count: Int, text: String) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        #expect(seal.seal(bytes) == text)
        #expect(seal.open(text) == bytes)
    }

    @Test func nothingOfItCanBeRead() throws {
        let text = try #require(seal.seal(Array("users".utf8)))
        #expect(!text.contains("users") && !text.contains("dXNlcnM"))
    }

    @Test func anotherKeyDoesNotOpenIt() throws {
        let text = try #require(seal.seal([1, 2, 3]))
        #expect(TokenSeal(key: TokenSeal.makeKey()).open(text) == nil)
        #expect(TokenSeal.makeKey() != TokenSeal.makeKey())
    }

    /// Every single bit, and every length.
    @Test func alteredTokensDoNotOpen() throws {
        let text = try #require(seal.seal([1, 2, 3]))
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        for index in text.indices {
            for letter in alphabet where letter != text[index] {
                let changed = text.replacingCharacters(at: index, with: letter)
                #expect(seal.open(changed) == nil, "\(changed)")
            }
            #expect(seal.open(String(text[..<index])) == nil)
        }
        for other in [text + "A", text + "=", "=", " " + text, "é"] {
            #expect(seal.open(other) == nil, "\(other)")
        }
    }
}

@Suite struct AES256GCMTests {
    private let cipher = AES256GCM(key: [UInt8](repeating: 0, count: AES256GCM.keyByteCount))
    private let nonce = [UInt8](repeating: 0, count: AES256GCM.nonceByteCount)

    /// Cases 13 and 14 of *The Galois/Counter Mode of Operation*, McGrew and Viega.
    @Test(arguments: [
        (0, "530f8afbc74536b9a963b4f1c4cb738b"),
        (16, "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"),
    ])
    func standardMessage(zeros count: Int, sealed: String) {
        let bytes = [UInt8](repeating: 0, count: count)
        let expected = nonce + bytesOf(hexadecimal: sealed)
        #expect(cipher.seal(bytes, nonce: nonce) == expected)
        #expect(cipher.open(expected) == bytes)
    }

    @Test(arguments: [0, 11, 12, 27])
    func tooFewBytesDoNotOpen(count: Int) {
        #expect(cipher.open([UInt8](repeating: 0, count: count)) == nil)
    }

    @Test func withKeyOrNonceOfAnotherLengthNothingIsSealed() {
        #expect(AES256GCM(key: [1]).seal([], nonce: nonce) == nil)
        #expect(AES256GCM(key: []).open(nonce + nonce + nonce) == nil)
        #expect(cipher.seal([], nonce: [1]) == nil)
    }
}

@Suite struct DerivedKeyTests {
    /// RFC 5869, A.3: the first 32 of its 42 bytes.
    @Test func standardMessage() {
        let expected = "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
        let key = derivedKey(from: [UInt8](repeating: 0x0B, count: 22), for: "")
        #expect(key == bytesOf(hexadecimal: expected))
    }
}

private func bytesOf(hexadecimal text: String) -> [UInt8] {
    stride(from: 0, to: text.count, by: 2).compactMap {
        UInt8(text.dropFirst($0).prefix(2), radix: 16)
    }
}

extension String {
    fileprivate func replacingCharacters(at index: Index, with letter: Character) -> String {
        String(self[..<index]) + String(letter) + String(self[self.index(after: index)...])
    }
}
