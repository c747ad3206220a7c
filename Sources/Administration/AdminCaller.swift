import DefinitionModel
package import SyncEngine

/// The sender of a request, once recognised.
package struct AdminCaller: Hashable, Sendable {
    package enum Proof: Hashable, Sendable {
        /// The cookie of a browser, and the time at which the password was last given.
        case session(tokenHash: [UInt8], confirmedAt: Instant)
        /// A token of a script, for one environment or for all.
        case token(environment: String?)
    }

    /// As in the activity log.
    package let name: String
    package let scope: AdminScope
    package let proof: Proof

    package init(_ session: OpenOperatorSession) {
        name = session.person.name
        scope = session.person.scope
        proof = .session(
            tokenHash: session.session.tokenHash, confirmedAt: session.session.confirmedAt)
    }

    package init(_ token: NumberedToken) {
        name = "token \(token.number) \(token.token.name) of \(token.token.author)"
        scope = token.token.scope
        proof = .token(environment: token.token.environment)
    }
}

/// The conditions of an operation of the administration.
package enum AdminAccess: Hashable, Sendable {
    /// The sender need not sign in.
    case anyone
    /// Any operator with a session.
    case sessions
    /// Operators and tokens of these scopes.
    case scopes(Set<AdminScope>, password: PasswordAgain = .never)
}

/// Whether the operator of a session must have given the password in the last minutes.
package enum PasswordAgain: Hashable, Sendable {
    case never
    case always
    /// The same, and tokens are refused.
    case alwaysInSession
    /// For every environment but `test` and those whose names begin with `test-`.
    case beyondTest
}

/// A reason why a caller may not do something.
package enum AdminRefusal: Error, Hashable, Sendable {
    case credentialsMissing
    case sessionNeeded
    case scopeTooNarrow(Set<AdminScope>)
    /// The token is for another environment, or for one while the request concerns all.
    case environmentForeign
    case passwordNeeded
}

extension AdminAccess {
    /// Decides on a request. `environment` is the one that it names; nil if it names none.
    package func decide(
        _ caller: AdminCaller?, in environment: String?, at now: Instant
    ) throws(AdminRefusal) {
        switch self {
        case .anyone: return
        case .sessions:
            guard let caller else { throw .credentialsMissing }
            guard case .session = caller.proof else { throw .sessionNeeded }
        case .scopes(let scopes, let password):
            guard let caller else { throw .credentialsMissing }
            guard scopes.contains(caller.scope) else { throw .scopeTooNarrow(scopes) }
            switch caller.proof {
            case .token(let own):
                if let own {
                    guard let environment, own.hasSameBytes(as: environment) else {
                        throw .environmentForeign
                    }
                }
                guard password != .alwaysInSession else { throw .sessionNeeded }
            case .session(_, let confirmedAt):
                guard password.isNeeded(in: environment) else { return }
                let age = now.seconds(since: confirmedAt)
                guard age < AdministrationLimits.confirmationSeconds else {
                    throw .passwordNeeded
                }
            }
        }
    }
}

extension PasswordAgain {
    fileprivate func isNeeded(in environment: String?) -> Bool {
        switch self {
        case .never: false
        case .always, .alwaysInSession: true
        case .beyondTest: !(environment == "test" || environment?.hasPrefix("test-") ?? false)
        }
    }
}
