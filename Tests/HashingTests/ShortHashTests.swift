import Hashing
import Testing

@Suite struct ShortHashTests {
    @Test func textHasFirstBytesOfItsHash() {
        #expect(hexadecimal(shortHash(of: "abc")) == "ba7816bf8f01cfea414140de5dae2223")
    }
}
