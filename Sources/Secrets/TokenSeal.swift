import Crypto
import Foundation

/// Encrypts and authenticates tokens that only the server reads.
///
/// Encryption is deterministic: the nonce of AES-GCM is derived from a keyed hash of the bytes, so
/// no nonce is used for two different texts.
package struct TokenSeal: Sendable {
    private let encryption: SymmetricKey
    /// An empty hash, copied for each text, since initialisation is half of the work.
    private let nonces: HMAC<SHA256>

    /// 256 random bits.
    package static func makeKey() -> [UInt8] {
        SymmetricKey(size: .bits256).withUnsafeBytes { [UInt8]($0) }
    }

    package init(key: [UInt8]) {
        let secret = SymmetricKey(data: key)
        func derived(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: secret, info: Data(purpose.utf8), outputByteCount: 32)
        }
        encryption = derived("encryption")
        nonces = HMAC(key: derived("nonces"))
    }

    /// In URL-safe Base64. Nil only for more bytes than AES-GCM accepts, about 64 GiB.
    package func seal(_ bytes: [UInt8]) -> String? {
        var hash = nonces
        hash.update(data: bytes)
        guard let nonce = try? AES.GCM.Nonce(data: Data(hash.finalize()).prefix(12)),
            let box = try? AES.GCM.seal(bytes, using: encryption, nonce: nonce)
        else { return nil }
        return box.combined?.urlSafeBase64
    }

    /// Nil unless the text was made with this key.
    package func open(_ text: String) -> [UInt8]? {
        guard let data = Data(urlSafeBase64: text),
            let box = try? AES.GCM.SealedBox(combined: data),
            let bytes = try? AES.GCM.open(box, using: encryption)
        else { return nil }
        return [UInt8](bytes)
    }
}
