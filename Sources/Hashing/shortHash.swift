/// The first 16 bytes of the SHA-256 of a text, to tell such texts apart at the same size. It does
/// not hide a text that can be guessed, such as an address.
package func shortHash(of text: String) -> [UInt8] {
    Array(SHA256.hash(Array(text.utf8)).prefix(16))
}
