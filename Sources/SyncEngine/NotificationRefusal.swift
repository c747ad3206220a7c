/// A reason why a notification is not sent or a push token not stored.
package enum NotificationRefusal: Error, Hashable, Sendable {
    /// The server is configured so that no one may send notifications.
    case switchedOff
    case groupUnknown(String, known: [String])
    case deviceCategoryUnknown(String, known: [String])
    case tooLarge(maxBytes: Int)
    /// The body contains a number that cannot be represented exactly.
    case unrepresentable
    case tooManyUsers(count: Int, max: Int)
    case idIllegal(maxBytes: Int)
    /// The sender has reached the limit of the last minute.
    case tooManySent(max: Int, retryAfterSeconds: Int64)
    /// So many notifications of the sender, or so many bytes of them, are stored.
    case tooManyKept(max: Int)
    case tokenIllegal(maxBytes: Int)
    case typeIllegal(maxBytes: Int)
    case tooManyTokens(max: Int)
}
