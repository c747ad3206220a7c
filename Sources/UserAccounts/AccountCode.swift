import Hashing
package import SyncEngine

/// Lets whoever has its text make an account, or give one a new password, without a session. The
/// store keeps only the hash of the text.
package struct AccountCode: Hashable, Sendable {
    package enum Purpose: Hashable, Sendable {
        /// Makes users of a group.
        case invitation(group: String)
        /// Replaces the password of a user.
        case reset(login: String)
    }

    package let hash: [UInt8]
    package let purpose: Purpose
    /// How often it can still be used; at least 1.
    package var usesLeft: Int64
    /// The operator who made it, as in the activity log.
    package let author: String
    package let createdAt: Instant
    package let expiresAt: Instant

    package init(
        hash: [UInt8], purpose: Purpose, usesLeft: Int64, author: String, createdAt: Instant,
        expiresAt: Instant
    ) {
        self.hash = hash
        self.purpose = purpose
        self.usesLeft = usesLeft
        self.author = author
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

extension AccountCode {
    /// Names the code in lists without telling its text: 16 hexadecimal digits.
    package var name: String {
        hexadecimal(hash.prefix(8))
    }

    /// The group of those whom it invites; nil for a reset.
    package var group: String? {
        switch purpose {
        case .invitation(let group): group
        case .reset: nil
        }
    }

    /// The user whose password it replaces; nil for an invitation.
    package var login: String? {
        switch purpose {
        case .invitation: nil
        case .reset(let login): login
        }
    }
}

/// The limits of codes.
package enum AccountCodeLimits {
    /// Valid codes of an environment.
    package static let codes = 1000
    package static let uses: Int64 = 10_000
    package static let days: Int64 = 90
    /// The days for which an invitation is valid where nobody says otherwise.
    package static let usualDays: Int64 = 7
    /// Validity of a reset.
    package static let resetSeconds: Int64 = 86_400
    /// Validity of a reset that the user has asked for.
    package static let requestedResetSeconds: Int64 = 3600
    /// After a reset was made for a user, requests of the user make none for this long.
    package static let requestPauseSeconds: Int64 = 900
    /// Requests of users make no resets beyond this, so that there is room for operators.
    package static let requestedCodes = 500
    /// The author of resets that users have asked for.
    package static let requester = "the user"
}

/// The result of storing a code.
package enum AccountCodeAddition: Hashable, Sendable {
    case added
    /// The environment has as many as it may have.
    case full
    /// The user of the reset does not exist.
    case userUnknown
    /// The user has a reset that was made after the given moment.
    case recent
}
