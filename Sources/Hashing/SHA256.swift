/// SHA-256 of FIPS 180-4, for bytes that arrive in pieces.
///
/// It is a value: a copy continues from the same state. The system's library computes it, with the
/// instructions that the processor has for it.
package struct SHA256: Sendable {
    package static let byteCount = 32
    /// The size in bytes of the blocks that are hashed at once.
    package static let blockByteCount = 64

    private var state = State()

    package init() {}

    /// The hash does not depend on how the bytes are divided into pieces.
    package mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// The same for bytes that are not in an array.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        state.update(bufferPointer: bytes)
    }

    /// The 32 bytes of the hash. It covers the bytes so far; more may be added afterwards.
    package func finalize() -> [UInt8] { Array(state.finalize()) }

    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finalize()
    }
}

#if canImport(CryptoKit)
    import CryptoKit

    private typealias State = CryptoKit.SHA256
#else
    import CLibCrypto

    /// The state of OpenSSL's SHA-256, with the functions that CryptoKit's has.
    private struct State {
        private var context = SHA256_CTX()

        init() { SHA256_Init(&context) }

        mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
            SHA256_Update(&context, bytes.baseAddress, bytes.count)
        }

        func finalize() -> [UInt8] {
            var last = context
            return [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { hash, count in
                SHA256_Final(hash.baseAddress, &last)
                count = SHA256.byteCount
            }
        }
    }
#endif
