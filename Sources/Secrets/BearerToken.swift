import Crypto
import Foundation

/// The token by which a client authenticates: 256 random bits.
package enum BearerToken {
    /// In URL-safe Base64, 43 characters.
    package static func make() -> String {
        SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.urlSafeBase64
    }

    /// The stored form. A plain hash is enough, because 256 random bits cannot be guessed.
    package static func hash(_ token: String) -> [UInt8] {
        var (token, hasher) = (token, SHA256())
        token.withUTF8 { hasher.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        return Array(hasher.finalize())
    }
}
