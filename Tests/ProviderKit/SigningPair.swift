import CLibCrypto
package import JSON
import Secrets

/// A key pair of a provider, which signs real tokens.
package struct SigningPair: Sendable {
    package enum Kind: Sendable {
        case rsa, p256
    }

    package let kind: Kind
    /// `kid`.
    package let name: String
    /// In DER.
    private let secret: [UInt8]
    private let publicInfo: [UInt8]

    package init(_ kind: Kind, name: String) {
        self.kind = kind
        self.name = name
        let context = EVP_PKEY_CTX_new_from_name(nil, kind == .rsa ? "RSA" : "EC", nil)
        defer { EVP_PKEY_CTX_free(context) }
        EVP_PKEY_keygen_init(context)
        if kind == .p256 { EVP_PKEY_CTX_set_group_name(context, "P-256") }
        var key: OpaquePointer?
        EVP_PKEY_generate(context, &key)
        defer { EVP_PKEY_free(key) }
        secret = bytes { i2d_PrivateKey(key, $0) }
        publicInfo = bytes { i2d_PUBKEY(key, $0) }
    }

    package var algorithm: String { kind == .rsa ? "RS256" : "ES256" }

    /// The public key as a JSON Web Key.
    package var jwk: JSONValue {
        let common: [String: JSONValue] = [
            "kid": .string(name), "use": "sig", "alg": .string(algorithm),
        ]
        let own: [String: JSONValue] =
            switch kind {
            case .rsa: ["kty": "RSA", "n": text(publicInfo[33..<289]), "e": "AQAB"]
            case .p256:
                [
                    "kty": "EC", "crv": "P-256", "x": text(publicInfo.suffix(64).prefix(32)),
                    "y": text(publicInfo.suffix(32)),
                ]
            }
        return .object(common.merging(own) { $1 })
    }

    /// The public key as certificates have it, for forgers who use it as a secret.
    package var publicBytes: [UInt8] { publicInfo }

    private func text(_ bytes: ArraySlice<UInt8>) -> JSONValue {
        .string(URLSafeBase64.text(of: Array(bytes)))
    }

    /// A token with these claims.
    package func token(
        _ claims: [String: JSONValue], header: [String: JSONValue] = [:]
    ) -> String {
        let head: [String: JSONValue] = ["alg": .string(algorithm), "kid": .string(name)]
        let text = unsigned(head.merging(header) { $1 }, claims)
        return "\(text).\(URLSafeBase64.text(of: signature(of: Array(text.utf8))))"
    }

    /// The signature in the form of tokens.
    package func signature(of message: [UInt8]) -> [UInt8] {
        let key = secret.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return d2i_AutoPrivateKey(nil, &start, buffer.count)
        }
        defer { EVP_PKEY_free(key) }
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key)
        var (signature, count) = ([UInt8](repeating: 0, count: 512), 512)
        EVP_DigestSign(context, &signature, &count, message, message.count)
        let made = Array(signature.prefix(count))
        return kind == .rsa ? made : numbers(inDER: made)
    }

    /// The two numbers of ECDSA, of 32 bytes each.
    private func numbers(inDER bytes: [UInt8]) -> [UInt8] {
        var (rest, numbers) = (bytes.dropFirst(2), [UInt8]())
        while rest.first == 2 {
            let count = Int(rest[rest.startIndex + 1])
            let digits = rest.dropFirst(2).prefix(count).drop { $0 == 0 }
            numbers += [UInt8](repeating: 0, count: 32 - digits.count) + digits
            rest = rest.dropFirst(2 + count)
        }
        return numbers
    }
}

/// Header and claims of a token, without a signature.
package func unsigned(_ header: [String: JSONValue], _ claims: [String: JSONValue]) -> String {
    [header, claims].map { part in
        URLSafeBase64.text(of: Array(JSONValue.object(part).text.utf8))
    }.joined(separator: ".")
}

/// The bytes that a function of the library writes.
private func bytes(
    _ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(write(nil)))
    bytes.withUnsafeMutableBufferPointer { buffer in
        var start = buffer.baseAddress
        _ = write(&start)
    }
    return bytes
}
