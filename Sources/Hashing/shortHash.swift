/// The first 16 bytes of the SHA-256 of a text, to tell such texts apart without keeping them.
package func shortHash(of text: String) -> [UInt8] {
    Array(SHA256.hash(Array(text.utf8)).prefix(16))
}
