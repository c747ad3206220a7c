import DefinitionModel
import Secrets
package import SyncEngine
package import UserAccounts

/// The words of mails with codes.
package struct MailTexts: Hashable, Sendable {
    /// An address with `KIND` and `CODE` in it, for a page or an app that takes codes. Nil if the
    /// mail has the code alone.
    private let link: String?

    package init(link: String?) { self.link = link }

    /// The mail with the code of an invitation.
    package func invitation(
        _ code: String, to recipient: MailAddress, of application: String, until end: Instant
    ) -> Mail {
        Mail(
            to: recipient, subject: "Your invitation to \(application)",
            text: """
                You are invited to \(application).

                \(place(of: code, kind: "invitation"))

                The code is valid until \(end.text). If you do not know what this is about, do \
                nothing.
                """)
    }

    /// The mail with the code of a reset.
    package func reset(
        _ code: String, of login: String, to recipient: MailAddress, of application: String,
        until end: Instant
    ) -> Mail {
        Mail(
            to: recipient, subject: "A new password for \(application)",
            text: """
                Somebody asked for a new password for the user \(login) of \(application).

                \(place(of: code, kind: "reset"))

                The code is good once, and valid until \(end.text). If it was not you, do nothing: \
                your password stays as it is.
                """)
    }

    /// The address for somebody who gets the code in another way. Nil without a link.
    package func address(of code: String, for purpose: AccountCode.Purpose) -> String? {
        switch purpose {
        case .invitation: address(of: code, kind: "invitation")
        case .reset: address(of: code, kind: "reset")
        }
    }

    private func address(of code: String, kind: String) -> String? {
        link?.replacing("KIND", with: kind).replacing("CODE", with: code)
    }

    private func place(of code: String, kind: String) -> String {
        guard let address = address(of: code, kind: kind) else {
            return "Enter this code in the app:\n\n    \(code)"
        }
        return "Open this address, or enter the code in the app:\n\n    \(address)\n\n    \(code)"
    }

    /// Makes a reset for a user who has asked for it. Nil if there is none to be made, see
    /// `AccountEngine.requestReset`, or if the user's mail address cannot be used.
    func reset(
        of login: String, in accounts: AccountEngine, at now: Instant
    ) async throws(SyncError) -> Mail? {
        let code = BearerToken.make()
        let made = try await accounts.requestReset(
            of: login, hash: BearerToken.hash(code), at: now,
            ofThose: { MailAddress($0.mail) != nil })
        guard let made, let recipient = MailAddress(made.user.mail) else { return nil }
        return reset(
            code, of: made.user.login, to: recipient,
            of: accounts.engine.rules.definition.application, until: made.code.expiresAt)
    }
}
