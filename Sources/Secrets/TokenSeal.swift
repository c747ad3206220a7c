import Foundation
import Hashing

/// Encrypts and authenticates tokens that only the server reads.
///
/// Encryption is deterministic: the nonce of AES-GCM is derived from a keyed hash of the bytes, so
/// no nonce is used for two different texts.
package struct TokenSeal: Sendable {
    private let cipher: AES256GCM
    private let nonces: HMACSHA256

    /// 256 random bits.
    package static func makeKey() -> [UInt8] { randomBytes(AES256GCM.keyByteCount) }

    package init(key: [UInt8]) {
        cipher = AES256GCM(key: derivedKey(from: key, for: "encryption"))
        nonces = HMACSHA256(key: derivedKey(from: key, for: "nonces"))
    }

    /// In URL-safe Base64. Nil only for more bytes than AES-GCM takes at once, 2 GiB.
    package func seal(_ bytes: [UInt8]) -> String? {
        let nonce = nonces.hash(bytes).prefix(AES256GCM.nonceByteCount)
        return cipher.seal(bytes, nonce: Array(nonce)).map { Data($0).urlSafeBase64 }
    }

    /// Nil unless the text was made with this key.
    package func open(_ text: String) -> [UInt8]? {
        Data(urlSafeBase64: text).flatMap { cipher.open([UInt8]($0)) }
    }
}

/// 32 bytes by HKDF of RFC 5869 with SHA-256, without a salt.
func derivedKey(from secret: [UInt8], for purpose: String) -> [UInt8] {
    let salt = [UInt8](repeating: 0, count: SHA256.byteCount)
    let extracted = HMACSHA256(key: salt).hash(secret)
    return HMACSHA256(key: extracted).hash(Array(purpose.utf8) + [1])
}
