/// Why a notification is not sent, or a push token not kept.
package enum NotificationRefusal: Error, Hashable, Sendable {
    /// Nobody may send any here.
    case switchedOff
    case groupUnknown(String, known: [String])
    case deviceCategoryUnknown(String, known: [String])
    case tooLarge(maxBytes: Int)
    /// It has a number that cannot be held exactly.
    case unrepresentable
    case tooManyUsers(count: Int, max: Int)
    case idIllegal(maxBytes: Int)
    /// In the last minute.
    case tooManySent(max: Int, retryAfterSeconds: Int64)
    case tokenIllegal(maxBytes: Int)
    case typeIllegal(maxBytes: Int)
    case tooManyTokens(max: Int)
}

/// Who may send notifications.
package enum NotificationSenders: String, CaseIterable, Hashable, Sendable {
    case everyone, admins, nobody
}
