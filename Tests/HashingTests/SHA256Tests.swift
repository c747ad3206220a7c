import Hashing
import Testing

@Suite struct SHA256Tests {
    /// The examples of FIPS 180-4, and the empty message of NIST's test vectors.
    @Test(arguments: [
        ("", "e3b0c442 98fc1c14 9afbf4c8 996fb924 27ae41e4 649b934c a495991b 7852b855"),
        ("abc", "ba7816bf 8f01cfea 414140de 5dae2223 b00361a3 96177a9c b410ff61 f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61 d20638b8 e5c02693 0c3e6039 a33ce459 64ff2167 f6ecedd4 19db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a7 78af8380 036ce59e 7b049237 0b249b11 e8f07a51 afac4503 7afee9d1"
        ),
    ])
    func standardMessage(text: String, hash: String) {
        #expect(hexadecimal(SHA256.hash(Array(text.utf8))) == hash.filter { $0 != " " })
    }

    @Test func millionTimesLetterA() {
        var hash = SHA256()
        for _ in 0..<1000 { hash.update([UInt8](repeating: UInt8(ascii: "a"), count: 1000)) }
        #expect(
            hexadecimal(hash.finalize())
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    /// Around the lengths at which the padding takes another block. The hash of all these hashes
    /// was computed with `sha256sum`.
    @Test func everyShortLength() {
        var all = SHA256()
        for length in 0...200 {
            all.update(SHA256.hash((0..<length).map { UInt8(truncatingIfNeeded: $0) }))
        }
        #expect(
            hexadecimal(all.finalize())
                == "64ef7c229fce2408b5336b6a542fea0e078c3a87d2da85cb3fc52e2008b65021")
    }

    @Test(arguments: UInt64(0)..<50)
    func piecesDoNotCount(seed: UInt64) {
        var random = SplitMix(state: seed)
        var (hash, bytes) = (SHA256(), [UInt8]())
        for _ in 0..<20 {
            let piece = random.bytes(Int.random(in: 0...300, using: &random))
            hash.update(piece)
            bytes += piece
            #expect(hash.finalize() == SHA256.hash(bytes))
        }
    }

    @Test func copyGoesOnFromTheSameState() {
        var first = SHA256()
        first.update([1])
        var second = first
        first.update([2])
        second.update([3])
        #expect(first.finalize() == SHA256.hash([1, 2]))
        #expect(second.finalize() == SHA256.hash([1, 3]))
    }
}

/// RFC 4231.
@Suite struct HMACSHA256Tests {
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131),
            Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func standardMessage(key: [UInt8], message: [UInt8], hash: String) {
        let keyed = HMACSHA256(key: key)
        #expect(hexadecimal(keyed.hash(message)) == hash)
        var inPieces = keyed
        for byte in message { inPieces.update([byte]) }
        #expect(hexadecimal(inPieces.finalize()) == hash)
    }
}

private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }
}
