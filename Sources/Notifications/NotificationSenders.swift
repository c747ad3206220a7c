/// The users who may send notifications.
package enum NotificationSenders: String, CaseIterable, Hashable, Sendable {
    case everyone, admins, nobody
}
