import Crypto
import Foundation

/// What a signed-in client sends to show who it is: 256 random bits.
package enum BearerToken {
    /// In URL-safe Base64, 43 characters.
    package static func make() -> String {
        SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.urlSafeBase64
    }

    /// What is stored of it. A plain hash is enough: there is nothing to guess in 256 random bits.
    package static func hash(_ token: String) -> [UInt8] {
        var (token, hasher) = (token, SHA256())
        token.withUTF8 { hasher.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        return Array(hasher.finalize())
    }
}
