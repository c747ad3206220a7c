import Foundation
import Hashing

/// The token by which a client authenticates: 256 random bits.
package enum BearerToken {
    /// In URL-safe Base64, 43 characters.
    package static func make() -> String { Data(randomBytes(32)).urlSafeBase64 }

    /// The stored form. A plain hash is enough, because 256 random bits cannot be guessed.
    package static func hash(_ token: String) -> [UInt8] {
        var (token, hash) = (token, SHA256())
        token.withUTF8 { hash.update(UnsafeRawBufferPointer($0)) }
        return hash.finalize()
    }
}
