import JSON
import Secrets

/// A public key of a provider, from a JSON Web Key (RFC 7517).
struct SigningKey: Hashable, Sendable {
    enum Material: Hashable, Sendable {
        /// Without leading zeros.
        case rsa(modulus: [UInt8], exponent: [UInt8])
        /// A point of P-256: two numbers of 32 bytes.
        case p256(x: [UInt8], y: [UInt8])
    }

    /// Nil if the key has no name.
    let id: String?
    let material: Material

    /// The only algorithm with which the key is used, as `alg` names it.
    var algorithm: String {
        switch material {
        case .rsa: "RS256"
        case .p256: "ES256"
        }
    }

    /// Nil for a key of another kind or purpose, and for one that is too weak.
    init?(_ json: JSONValue) {
        guard case .object(let members) = json, let material = Material(members) else {
            return nil
        }
        self.material = material
        id = members["kid"]?.texts?.first
        guard members["use"] ?? .string("sig") == .string("sig"),
            members["alg"] ?? .string(algorithm) == .string(algorithm),
            members["key_ops"]?.texts?.contains("verify") ?? true
        else { return nil }
    }
}

extension SigningKey.Material {
    private static let rsaBits = 2048...8192
    private static let coordinateBytes = 32

    fileprivate init?(_ members: [String: JSONValue]) {
        func bytes(_ name: String) -> [UInt8]? {
            guard case .string(let text)? = members[name] else { return nil }
            return URLSafeBase64.bytes(of: text)
        }
        if members["kty"] == .string("RSA") {
            guard let modulus = bytes("n").map({ Array($0.drop { $0 == 0 }) }),
                let exponent = bytes("e").map({ Array($0.drop { $0 == 0 }) }),
                let high = modulus.first, let low = exponent.last,
                Self.rsaBits.contains(modulus.count * 8 - high.leadingZeroBitCount),
                exponent.count <= 4, exponent != [1], low % 2 == 1
            else { return nil }
            self = .rsa(modulus: modulus, exponent: exponent)
        } else if members["kty"] == .string("EC") {
            guard members["crv"] == .string("P-256"), let x = bytes("x"), let y = bytes("y"),
                x.count == Self.coordinateBytes, y.count == Self.coordinateBytes
            else { return nil }
            self = .p256(x: x, y: y)
        } else {
            return nil
        }
    }
}

/// The keys of a JSON Web Key Set that sign tokens. Keys of other kinds are passed over. Nil if it
/// is not such a set.
func signingKeys(_ bytes: [UInt8]) -> [SigningKey]? {
    guard let json = try? parseJSON(bytes), case .object(let members) = json,
        case .array(let keys)? = members["keys"]
    else { return nil }
    return keys.prefix(maxSigningKeys).compactMap(SigningKey.init)
}

/// Further keys of a provider are not looked at.
private let maxSigningKeys = 64
