import Logging
import SyncEngine

/// Sign-ins with providers, on all wires.
extension Exchange {
    /// Counts a code for which somebody wants a session, before the store looks for it. Throws
    /// `tooManySignIns` if one address sends too many.
    package func countSignInCode() throws {
        let seconds = host.signInCodes.wait(of: context.clientAddress, at: now)
        guard seconds == 0 else { throw HTTPFailure.tooManySignIns(seconds) }
    }

    /// - Parameters:
    ///   - code: The code of the refusal.
    ///   - cause: Its sentence for the log.
    package func note(refusedSignIn code: String, cause: String) {
        logger.notice(
            "a sign-in with a provider was refused",
            metadata: [
                "environment": "\(environment.name)", "code": "\(code)", "cause": "\(cause)",
            ])
    }
}
