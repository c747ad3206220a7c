import Secrets
import TestKit
import Testing

@Suite("Sealed texts cannot be read or forged without the key")
struct TokenSealTests {
    private let seal = TokenSeal(key: Array(repeating: 7, count: 32))

    @Test(arguments: [0, 1, 15, 16, 17, 300, 5000])
    func itComesOutAsItWentIn(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let text = try #require(seal.seal(bytes))
        #expect(text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "+") })
        #expect(seal.open(text) == bytes)
        #expect(seal.seal(bytes) == text)
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
    @Test func whatWasChangedDoesNotOpen() throws {
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

extension String {
    fileprivate func replacingCharacters(at index: Index, with letter: Character) -> String {
        String(self[..<index]) + String(letter) + String(self[self.index(after: index)...])
    }
}
