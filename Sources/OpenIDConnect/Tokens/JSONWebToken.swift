import JSON
import Secrets

/// A signed token in compact form (RFC 7515), whose signature is not yet verified.
struct JSONWebToken: Sendable {
    static let maxBytes = 16 << 10

    /// `alg` of the header.
    let algorithm: String
    /// `kid` of the header; nil if it names no key.
    let keyID: String?
    let signedBytes: [UInt8]
    let signature: [UInt8]
    private let payload: [UInt8]

    /// Throws `malformed` and `algorithmRefused`.
    init(_ text: String) throws(IDTokenFault) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.maxBytes, parts.count == 3,
            let head = URLSafeBase64.bytes(of: String(parts[0])),
            let payload = URLSafeBase64.bytes(of: String(parts[1])),
            let signature = URLSafeBase64.bytes(of: String(parts[2])),
            let json = try? parseJSON(head), case .object(let header) = json,
            case .string(let algorithm)? = header["alg"]
        else { throw .malformed }
        // No extension of the header is known here, and this member demands one (RFC 7515, 4.1.11).
        guard header["crit"] == nil else { throw .malformed }
        guard Self.algorithms.contains(algorithm) else { throw .algorithmRefused }
        self.algorithm = algorithm
        keyID = header["kid"]?.texts?.first
        signedBytes = Array("\(parts[0]).\(parts[1])".utf8)
        self.signature = signature
        self.payload = payload
    }

    /// `none` is not among them, nor HMAC, whose key would be one that everybody knows.
    private static let algorithms = ["RS256", "ES256"]

    /// The claims, if the key has signed them.
    func claims(signedBy key: SigningKey) throws(IDTokenFault) -> [String: JSONValue] {
        guard key.algorithm == algorithm, key.verifies(signature, of: signedBytes) else {
            throw .signatureWrong
        }
        guard let json = try? parseJSON(payload), case .object(let claims) = json else {
            throw .malformed
        }
        return claims
    }
}
