import Administration
import SyncEngine
import Testing

@Suite struct AccessTests {
    private let now = Instant(milliseconds: 10_000_000)

    private func session(_ scope: AdminScope, confirmedSecondsAgo age: Int64 = 0) -> AdminCaller {
        let at = now.adding(seconds: -age)
        return AdminCaller(
            OpenOperatorSession(
                session: OperatorSession(tokenHash: [1], name: "ann", usedAt: at, confirmedAt: at),
                person: Operator(name: "ann", scope: scope, passwordHash: "", createdAt: at)))
    }

    private func token(_ scope: AdminScope, for environment: String? = nil) -> AdminCaller {
        AdminCaller(
            NumberedToken(
                number: 1,
                token: OperatorToken(
                    tokenHash: [1], name: "ci", scope: scope, environment: environment,
                    author: "ann", createdAt: now, expiresAt: now)))
    }

    private func refusal(
        _ access: AdminAccess, _ caller: AdminCaller?, in environment: String? = nil
    ) -> AdminRefusal? {
        do {
            try access.decide(caller, in: environment, at: now)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: AdminScope.allCases, AdminScope.allCases)
    func scopeThatIsNotNamedIsRefused(needed: AdminScope, given: AdminScope) {
        let access = AdminAccess.scopes([needed])
        let expected = needed == given ? nil : AdminRefusal.scopeTooNarrow([needed])
        #expect(refusal(access, session(given)) == expected)
        #expect(refusal(access, token(given)) == expected)
    }

    @Test func nobodyIsRefusedUnlessAnyoneMay() {
        #expect(refusal(.anyone, nil) == nil)
        #expect(refusal(.sessions, nil) == .credentialsMissing)
        #expect(refusal(.scopes([.viewer]), nil) == .credentialsMissing)
    }

    @Test func tokenIsNoSession() {
        #expect(refusal(.sessions, token(.designer)) == .sessionNeeded)
        #expect(refusal(.sessions, session(.viewer)) == nil)
    }

    @Test func tokenOfOneEnvironmentIsForNoOther() {
        let access = AdminAccess.scopes([.deployer])
        #expect(refusal(access, token(.deployer, for: "test"), in: "test") == nil)
        #expect(
            refusal(access, token(.deployer, for: "test"), in: "production")
                == .environmentForeign)
        #expect(refusal(access, token(.deployer, for: "test")) == .environmentForeign)
    }

    @Test(arguments: [
        ("test", nil), ("test-2", nil), ("production", AdminRefusal.passwordNeeded),
        ("testing", .passwordNeeded),
    ])
    func anOldPasswordCountsInTestOnly(environment: String, expected: AdminRefusal?) {
        let access = AdminAccess.scopes([.designer], password: .beyondTest)
        let caller = session(.designer, confirmedSecondsAgo: 300)
        #expect(refusal(access, caller, in: environment) == expected)
        #expect(
            refusal(access, session(.designer, confirmedSecondsAgo: 299), in: environment) == nil)
        #expect(refusal(access, token(.designer), in: environment) == nil)
    }
}
