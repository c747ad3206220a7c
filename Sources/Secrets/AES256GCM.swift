/// Encrypts and authenticates bytes by AES-256-GCM.
///
/// Sealed bytes are nonce, ciphertext and tag, one after the other.
struct AES256GCM: Sendable {
    static let keyByteCount = 32
    static let nonceByteCount = 12
    static let tagByteCount = 16

    /// With a key of another length than 32 bytes nothing is sealed or opened.
    let key: [UInt8]
}

#if canImport(CryptoKit)
    import CryptoKit
    import Foundation

    extension AES256GCM {
        /// A nonce of 12 bytes must not be used for two different texts.
        func seal(_ bytes: [UInt8], nonce: [UInt8]) -> [UInt8]? {
            guard let nonce = try? AES.GCM.Nonce(data: nonce),
                let box = try? AES.GCM.seal(bytes, using: SymmetricKey(data: key), nonce: nonce)
            else { return nil }
            return box.combined.map { [UInt8]($0) }
        }

        /// Nil unless the bytes were sealed with this key.
        func open(_ sealed: [UInt8]) -> [UInt8]? {
            guard let box = try? AES.GCM.SealedBox(combined: sealed),
                let bytes = try? AES.GCM.open(box, using: SymmetricKey(data: key))
            else { return nil }
            return [UInt8](bytes)
        }
    }
#else
    import CLibCrypto

    /// The address of the library's cipher. To look it up takes a quarter of the time of sealing a
    /// cursor, and a pointer cannot be shared by threads.
    private let cipherAddress = UInt(bitPattern: EVP_CIPHER_fetch(nil, "AES-256-GCM", nil))
    private var cipher: OpaquePointer? { OpaquePointer(bitPattern: cipherAddress) }

    extension AES256GCM {
        /// A nonce of 12 bytes must not be used for two different texts. Nil for more bytes than
        /// the library takes at once.
        func seal(_ bytes: [UInt8], nonce: [UInt8]) -> [UInt8]? {
            guard key.count == Self.keyByteCount, nonce.count == Self.nonceByteCount,
                let count = Int32(exactly: bytes.count), let context = EVP_CIPHER_CTX_new()
            else { return nil }
            defer { EVP_CIPHER_CTX_free(context) }
            guard EVP_EncryptInit_ex(context, cipher, nil, key, nonce) == 1
            else { return nil }
            var (text, written) = ([UInt8](repeating: 0, count: bytes.count), Int32(0))
            var tag = [UInt8](repeating: 0, count: Self.tagByteCount)
            guard EVP_EncryptUpdate(context, &text, &written, bytes, count) == 1,
                written == count, EVP_EncryptFinal_ex(context, nil, &written) == 1,
                EVP_CIPHER_CTX_ctrl(
                    context, EVP_CTRL_GCM_GET_TAG, Int32(Self.tagByteCount), &tag) == 1
            else { return nil }
            return nonce + text + tag
        }

        /// Nil unless the bytes were sealed with this key.
        func open(_ sealed: [UInt8]) -> [UInt8]? {
            let count = sealed.count - Self.nonceByteCount - Self.tagByteCount
            guard key.count == Self.keyByteCount, count >= 0,
                let number = Int32(exactly: count), let context = EVP_CIPHER_CTX_new()
            else { return nil }
            defer { EVP_CIPHER_CTX_free(context) }
            let nonce = Array(sealed.prefix(Self.nonceByteCount))
            let text = Array(sealed.dropFirst(Self.nonceByteCount).prefix(count))
            var tag = Array(sealed.suffix(Self.tagByteCount))
            var (bytes, written) = ([UInt8](repeating: 0, count: count), Int32(0))
            guard EVP_DecryptInit_ex(context, cipher, nil, key, nonce) == 1,
                EVP_DecryptUpdate(context, &bytes, &written, text, number) == 1,
                written == number,
                EVP_CIPHER_CTX_ctrl(
                    context, EVP_CTRL_GCM_SET_TAG, Int32(Self.tagByteCount), &tag) == 1,
                EVP_DecryptFinal_ex(context, nil, &written) == 1
            else { return nil }
            return bytes
        }
    }
#endif
