package import ChangeRules
import JSON

/// Why a request as a whole was not served. What is wrong with single changes is in their outcomes.
package enum SyncError: Error, Hashable, Sendable {
    case signIn(SignInError)
    /// Another definition was deployed since the server was started.
    case definitionChanged
    case cursorUnreadable
    /// The cursor is of another environment, or of a database that this one is not the heir of.
    case cursorForeign
    case tooManyChanges(count: Int, max: Int)
    case tooManyAcknowledged(count: Int, max: Int)
    case limitOutOfRange(given: Int, max: Int)
    case find(FindError)
    /// Guids are named without the model that they are of.
    case modelMissing
    case tooManyResolutions(count: Int, max: Int)
    case adminOnly
    /// There is none of this model and guid, or none that the asker may see.
    case recordUnknown
    case account(AccountError)
    case file(FileRefusal)
    case ticket(TicketRefusal)
    case notification(NotificationRefusal)
    case store(StoreError)
}

/// Why nothing comes of a ticket.
package enum TicketRefusal: Error, Hashable, Sendable {
    /// The device has none of this text, or has another one by now.
    case unknown
    /// Its sync was refused.
    case rejected
    /// Its answer was not had as a whole yet.
    case undelivered
    /// Deleted records were swept away that the device should have been told of.
    case absentTooLong
}

/// Why a question for records is not answered.
package enum FindError: Error, Hashable, Sendable {
    case query(QueryFault)
    case modelUnknown(String)
    /// The cursor is of another question or another order, or was given under other rights.
    case cursorOfOtherQuery
    /// To sort or to count what is asked for, more records than so many would be looked at.
    case tooMuchToScan(max: Int)
}

/// Why somebody is not, or no longer, signed in.
package enum SignInError: Error, Hashable, Sendable {
    /// Login and password do not go together; which of them is wrong is nobody's business.
    case wrongCredentials
    case tooManyAttempts(retryAfterSeconds: Int64)
    case tokenUnknown
    /// The user's group and the device's category are no role of the definition.
    case roleUnknown(group: String, deviceCategory: String, known: [String])
    case deviceIdentifierIllegal(maxBytes: Int)
}
