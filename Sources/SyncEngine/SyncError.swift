package import ChangeRules
import JSON

/// An error of a whole request. The refusal of a single change is in its outcome.
package enum SyncError: Error, Hashable, Sendable {
    case signIn(SignInError)
    /// Another definition was deployed since the engine was loaded, or the environment is gone.
    case definitionChanged
    case cursorUnreadable
    /// The cursor belongs to another environment, or to a database of which this one is not a
    /// continuation.
    case cursorForeign
    case tooManyChanges(count: Int, max: Int)
    case tooManyAcknowledged(count: Int, max: Int)
    /// The changes of the request need more stored data than one request may read. A request with
    /// one change is never refused for that.
    case tooMuchToRead
    /// The texts of the changes need more steps to match their patterns than one request may take.
    /// A request with one change is never refused for that.
    case tooMuchToMatch
    /// The device, or all devices of the user, have too many outcomes that nobody acknowledged.
    /// The outcomes that the request acknowledges are deleted; nothing else of it takes effect.
    case tooManyUnacknowledged(max: Int, maxBytes: Int)
    /// Too many changes of the user were refused because of records that the user may not see.
    /// Changes that could be refused for this are not decided until the wait is over.
    case tooManyHiddenClashes(retryAfterSeconds: Int64)
    case limitOutOfRange(given: Int, max: Int)
    case find(FindError)
    /// The request names guids without a model.
    case modelMissing
    case tooManyResolutions(count: Int, max: Int)
    case adminOnly
    /// An operator creates a record without saying to whom it belongs.
    case ownerMissing
    /// The record does not exist, or the asker may not see it.
    case recordUnknown
    case account(AccountError)
    case file(FileRefusal)
    case ticket(TicketRefusal)
    case notification(NotificationRefusal)
    case store(StoreError)
}

/// An error of a ticket.
package enum TicketRefusal: Error, Hashable, Sendable {
    /// The device has no ticket with this text, or has a newer one.
    case unknown
    /// The sync of the ticket was refused.
    case rejected
    /// The answer was not delivered in full.
    case undelivered
    /// Tombstones that the device has not received were purged.
    case absentTooLong
}

/// An error of a query.
package enum FindError: Error, Hashable, Sendable {
    case query(QueryFault)
    case modelUnknown(String)
    /// The cursor belongs to another query or sort order, or was made under other rights.
    case cursorOfOtherQuery
    /// Sorting or counting would consider more than `max` records.
    case tooMuchToScan(max: Int)
}

/// The reason why a caller is not signed in.
package enum SignInError: Error, Hashable, Sendable {
    /// The login or the password is wrong; the error does not say which.
    case wrongCredentials
    case tooManyAttempts(retryAfterSeconds: Int64)
    case tokenUnknown
    /// The definition has no role for the user's group and the device's category.
    case roleUnknown(group: String, deviceCategory: String, known: [String])
    case deviceIdentifierIllegal(maxBytes: Int)
}
