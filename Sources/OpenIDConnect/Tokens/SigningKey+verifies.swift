#if canImport(CryptoKit)
    import CryptoKit
    import Foundation
    import Security

    extension SigningKey {
        /// Whether the key has signed the bytes, by RSASSA-PKCS1-v1_5 or ECDSA with SHA-256.
        func verifies(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
            switch material {
            case .rsa(let modulus, let exponent):
                let form = DER.sequence(DER.integer(modulus), DER.integer(exponent))
                let kind = [
                    kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPublic,
                ]
                guard
                    let key = SecKeyCreateWithData(
                        Data(form) as CFData, kind as CFDictionary, nil)
                else { return false }
                return SecKeyVerifySignature(
                    key, .rsaSignatureMessagePKCS1v15SHA256, Data(bytes) as CFData,
                    Data(signature) as CFData, nil)
            case .p256(let x, let y):
                guard let key = try? P256.Signing.PublicKey(rawRepresentation: x + y),
                    let form = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
                else { return false }
                return key.isValidSignature(form, for: Data(bytes))
            }
        }
    }
#else
    import CLibCrypto

    extension SigningKey {
        /// Whether the key has signed the bytes, by RSASSA-PKCS1-v1_5 or ECDSA with SHA-256.
        func verifies(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
            // The errors stay with the thread, and other libraries would take them for theirs.
            defer { ERR_clear_error() }
            guard let form = libraryForm(of: signature), let key = libraryKey else { return false }
            defer { EVP_PKEY_free(key) }
            guard let context = EVP_MD_CTX_new() else { return false }
            defer { EVP_MD_CTX_free(context) }
            return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
                && EVP_DigestVerify(context, form, form.count, bytes, bytes.count) == 1
        }

        /// Nil for a point that is not on the curve. Free it afterwards.
        private var libraryKey: OpaquePointer? {
            let bytes = subjectPublicKeyInfo
            return bytes.withUnsafeBufferPointer { buffer in
                var start = buffer.baseAddress
                return d2i_PUBKEY(nil, &start, bytes.count)
            }
        }

        /// The key as certificates have it (RFC 5280).
        private var subjectPublicKeyInfo: [UInt8] {
            switch material {
            case .rsa(let modulus, let exponent):
                // The algorithm rsaEncryption, 1.2.840.113549.1.1.1, with null.
                DER.sequence(
                    DER.sequence(
                        [6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1, 5, 0]),
                    DER.bits(DER.sequence(DER.integer(modulus), DER.integer(exponent))))
            case .p256(let x, let y):
                // The algorithm ecPublicKey, 1.2.840.10045.2.1, with the curve 1.2.840.10045.3.1.7.
                DER.sequence(
                    DER.sequence(
                        [6, 7, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1],
                        [6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7]),
                    DER.bits([4] + x + y))
            }
        }

        /// Tokens have the two numbers of ECDSA one after the other, the library wants DER. Nil for
        /// another length.
        private func libraryForm(of signature: [UInt8]) -> [UInt8]? {
            switch material {
            case .rsa: return signature
            case .p256:
                guard signature.count == 64 else { return nil }
                return DER.sequence(
                    DER.integer(Array(signature[..<32])), DER.integer(Array(signature[32...])))
            }
        }
    }
#endif
