/// HMAC of RFC 2104 with SHA-256: a hash that only the key's holder can compute.
///
/// To begin takes as long as to hash a short text. One that was begun can be copied for each text.
package struct HMACSHA256: Sendable {
    private var inner = SHA256()
    private var outer = SHA256()

    /// A key of any length; one of more than 64 bytes is hashed first.
    package init(key: [UInt8]) {
        let short = key.count > SHA256.blockByteCount ? SHA256.hash(key) : key
        let block = short + [UInt8](repeating: 0, count: SHA256.blockByteCount - short.count)
        inner.update(block.map { $0 ^ 0x36 })
        outer.update(block.map { $0 ^ 0x5C })
    }

    package mutating func update(_ bytes: [UInt8]) {
        inner.update(bytes)
    }

    /// The 32 bytes of the hash of all bytes so far. More may be added afterwards.
    package func finalize() -> [UInt8] {
        var whole = outer
        whole.update(inner.finalize())
        return whole.finalize()
    }

    /// The hash of the bytes so far and these.
    package func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = self
        hash.update(bytes)
        return hash.finalize()
    }
}
