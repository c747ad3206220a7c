import Crypto
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
        #expect(hexadecimal(Hashing.SHA256.hash(Array(text.utf8))) == hash.filter { $0 != " " })
    }

    @Test func aMillionTimesTheLetterA() {
        var hash = Hashing.SHA256()
        for _ in 0..<1000 { hash.update([UInt8](repeating: UInt8(ascii: "a"), count: 1000)) }
        #expect(
            hexadecimal(hash.finalize())
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    /// Around the lengths at which the padding takes another block.
    @Test(arguments: 0...200)
    func everyShortLengthIsAsCryptoHasIt(length: Int) {
        var random = SplitMix(state: UInt64(length))
        let bytes = random.bytes(length)
        #expect(Hashing.SHA256.hash(bytes) == Array(Crypto.SHA256.hash(data: bytes)))
    }

    @Test(arguments: UInt64(0)..<50)
    func randomPiecesAreAsCryptoHasThem(seed: UInt64) {
        var random = SplitMix(state: seed)
        var (ours, theirs) = (Hashing.SHA256(), Crypto.SHA256())
        for _ in 0..<20 {
            let piece = random.bytes(Int.random(in: 0...300, using: &random))
            ours.update(piece)
            theirs.update(data: piece)
            #expect(ours.finalize() == Array(theirs.finalize()))
        }
    }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
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
