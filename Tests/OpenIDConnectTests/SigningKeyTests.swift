import JSON
import ProviderKit
import Secrets
import Testing

@testable import OpenIDConnect

/// Signatures by keys of the standards and by fresh ones.
@Suite struct SigningKeyTests {
    /// The examples of RFC 7515, appendices A.2 and A.3.
    private static let payload =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0"
        + "cnVlfQ"
    private static let modulus =
        "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt"
        + "0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSX"
        + "ndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5"
        + "IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"
    private static let rsaSignature =
        "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W"
        + "2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkS"
        + "jtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnv"
        + "Wh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
    private static let rsa: [String: JSONValue] = [
        "kty": "RSA", "n": .string(modulus), "e": "AQAB",
    ]
    private static let p256: [String: JSONValue] = [
        "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    ]

    @Test func signaturesOfStandardAreVerified() throws {
        let table = [
            (Self.rsa, "eyJhbGciOiJSUzI1NiJ9", Self.rsaSignature),
            (
                Self.p256, "eyJhbGciOiJFUzI1NiJ9",
                "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-K"
                    + "g6NU1Q"
            ),
        ]
        for (jwk, head, signature) in table {
            let key = try #require(SigningKey(.object(jwk)))
            let token = try JSONWebToken("\(head).\(Self.payload).\(signature)")
            #expect(try token.claims(signedBy: key)["iss"] == "joe")
        }
    }

    @Test(arguments: [SigningPair.Kind.rsa, .p256]) func everyBitCounts(
        _ kind: SigningPair.Kind
    ) throws {
        let pair = SigningPair(kind, name: "k")
        let key = try #require(SigningKey(pair.jwk))
        let message = Array("the text".utf8)
        let signature = pair.signature(of: message)
        #expect(key.verifies(signature, of: message))
        #expect(!key.verifies(signature, of: message + [0]))
        for index in signature.indices {
            var forged = signature
            forged[index] ^= 1
            #expect(!key.verifies(forged, of: message))
        }
        for forged in [[], Array(signature.dropLast()), signature + [0], [0] + signature] {
            #expect(!key.verifies(forged, of: message))
        }
        #expect(!key.verifies([UInt8](repeating: 0, count: signature.count), of: message))
        let other = try #require(SigningKey(SigningPair(kind, name: "k").jwk))
        #expect(!other.verifies(signature, of: message))
    }

    @Test func pointOffCurveVerifiesNothing() throws {
        var members = Self.p256
        members["y"] = .string(URLSafeBase64.text(of: [UInt8](repeating: 7, count: 32)))
        let key = try #require(SigningKey(.object(members)))
        #expect(!key.verifies([UInt8](repeating: 1, count: 64), of: []))
    }

    @Test(
        arguments: [
            ["kty": "oct", "k": "AAAA"], ["kty": "RSA", "n": "AQAB"],
            ["kty": "RSA", "n": .string(modulus), "e": "AQ"],
            ["kty": "RSA", "n": .string(modulus), "e": "AQAA"],
            ["kty": "RSA", "n": "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTY", "e": "AQAB"],
            ["kty": "RSA", "n": .string(modulus), "e": "AQAB", "use": "enc"],
            ["kty": "RSA", "n": .string(modulus), "e": "AQAB", "alg": "HS256"],
            ["kty": "RSA", "n": .string(modulus), "e": "AQAB", "alg": "RS512"],
            ["kty": "RSA", "n": .string(modulus), "e": "AQAB", "key_ops": .array(["sign"])],
            ["kty": "EC", "crv": "P-384", "x": "AQAB", "y": "AQAB"],
            ["kty": "EC", "crv": "P-256", "x": "AQAB", "y": "AQAB"],
        ] as [[String: JSONValue]]) func otherKeysArePassedOver(_ jwk: [String: JSONValue])
    {
        #expect(SigningKey(.object(jwk)) == nil)
        let set = JSONValue.object(["keys": .array([.object(jwk), .object(Self.rsa)])])
        #expect(signingKeys(Array(set.text.utf8))?.count == 1)
    }

    @Test(arguments: [
        ("", IDTokenFault.malformed), ("a.b", .malformed), ("a.b.c.d", .malformed),
        ("eyJhbGciOiJSUzI1NiJ9==.e30.AA", .malformed), ("bm90IGpzb24.e30.AA", .malformed),
        ("e30.e30.AA", .malformed),
    ]) func textsThatAreNoTokensAreRefused(_ text: String, _ fault: IDTokenFault) {
        #expect(throws: fault) { try JSONWebToken(text) }
    }

    @Test(arguments: ["none", "None", "HS256", "HS512", "RS1", "PS256", "ES512", "dir", ""])
    func otherAlgorithmsAreRefused(_ algorithm: String) {
        let text = unsigned(["alg": .string(algorithm)], [:])
        for signature in ["", "AA"] {
            #expect(throws: IDTokenFault.algorithmRefused) {
                try JSONWebToken("\(text).\(signature)")
            }
        }
    }

    @Test func headerThatMustBeUnderstoodIsRefused() {
        let text = unsigned(["alg": "RS256", "crit": .array(["b64"]), "b64": .boolean(false)], [:])
        #expect(throws: IDTokenFault.malformed) { try JSONWebToken(text + ".AA") }
        let long = unsigned(["alg": "RS256"], ["a": .string(String(repeating: "a", count: 16_384))])
        #expect(throws: IDTokenFault.malformed) { try JSONWebToken(long + ".AA") }
    }
}
