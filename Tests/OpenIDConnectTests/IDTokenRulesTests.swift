import JSON
import SyncEngine
import Testing

@testable import OpenIDConnect

/// The conditions under which claims are accepted, one after the other.
@Suite struct IDTokenRulesTests {
    private static let now: Int64 = 1_800_000_000
    private static let good: [String: JSONValue] = [
        "iss": "https://id.example", "aud": "waggle", "sub": "1", "iat": .integer(now - 10),
        "exp": .integer(now + 300), "nonce": "n",
    ]

    private func check(_ claims: [String: JSONValue], nonce: String? = "n") throws -> Instant {
        try IDTokenRules(
            issuer: "https://id.example", audiences: ["waggle", "phone"], nonce: nonce
        ).accepted(claims, at: Instant(milliseconds: Self.now * 1000)).until
    }

    @Test(
        arguments: [
            [:], ["aud": .array(["waggle"])],
            ["aud": .array(["waggle", "phone"]), "azp": "phone"],
            ["aud": "phone"], ["azp": "waggle"], ["iat": .integer(now + 60)],
            ["exp": .integer(now - 59)], ["nbf": .integer(now + 60)],
            ["exp": .decimal("1800000300.5")], ["iat": .integer(now - 86_399)],
        ] as [[String: JSONValue]]) func acceptableClaimsAreAccepted(
            _ claims: [String: JSONValue]
        )
        throws
    {
        _ = try check(Self.good.merging(claims) { $1 })
    }

    @Test(
        arguments: [
            (["iss": "https://id.example/"], IDTokenFault.issuerWrong),
            (["iss": "https://evil.example"], .issuerWrong), (["iss": .null], .issuerWrong),
            (["iss": .array(["https://id.example"])], .issuerWrong),
            (["aud": "other"], .audienceWrong), (["aud": .array([])], .audienceWrong),
            (["aud": .null], .audienceWrong),
            (["aud": .array(["waggle", "other"])], .audienceWrong),
            (["aud": .array(["waggle", 1])], .audienceWrong),
            (["aud": .array(["waggle", "phone"])], .partyWrong), (["azp": "other"], .partyWrong),
            (["azp": .array(["waggle"])], .partyWrong), (["exp": .integer(now - 60)], .expired),
            (["exp": .null], .expired), (["exp": "1800000300"], .expired),
            (["exp": .integer(.max)], .expired), (["exp": .integer(-1)], .expired),
            (["iat": .integer(now + 61)], .timeWrong),
            (["iat": .integer(now - 86_400)], .timeWrong),
            (["iat": .null], .timeWrong), (["nbf": .integer(now + 61)], .timeWrong),
            (["nbf": "soon"], .timeWrong), (["nonce": "m"], .nonceWrong),
            (["nonce": .null], .nonceWrong), (["nonce": 1], .nonceWrong),
            (["sub": ""], .subjectMissing), (["sub": .null], .subjectMissing),
            (["sub": .string(String(repeating: "a", count: 256))], .subjectMissing),
        ] as [([String: JSONValue], IDTokenFault)]) func otherClaimsAreRefused(
            _ claims: [String: JSONValue], _ fault: IDTokenFault
        )
    {
        #expect(throws: fault) { _ = try check(Self.good.merging(claims) { $1 }) }
    }

    @Test(arguments: ["iss", "aud", "exp", "iat", "sub", "nonce"])
    func claimThatIsMissingIsNoClaim(_ name: String) {
        #expect(throws: IDTokenFault.self) { _ = try check(Self.good.filter { $0.key != name }) }
    }

    @Test func nonceIsNeededOnBothSides() throws {
        #expect(throws: IDTokenFault.nonceWrong) { _ = try check(Self.good, nonce: nil) }
        _ = try check(Self.good.filter { $0.key != "nonce" }, nonce: nil)
    }

    @Test func tokenIsRememberedAsLongAsItIsAccepted() throws {
        #expect(try check(Self.good) == Instant(milliseconds: (Self.now + 360) * 1000))
        let long = Self.good.merging(["exp": .integer(Self.now + 900_000)]) { $1 }
        #expect(try check(long) == Instant(milliseconds: (Self.now - 10 + 86_400) * 1000))
    }
}
