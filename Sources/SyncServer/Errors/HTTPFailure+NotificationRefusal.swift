import ChangeRules
import HTTPTypes
import SyncEngine

extension HTTPFailure {
    /// Maps every refusal of a notification or a push token to a status.
    init(_ refusal: NotificationRefusal) {
        self =
            switch refusal {
            case .switchedOff: .notificationsOff()
            case .groupUnknown(let name, let known): .groupUnknown(name, known: known)
            case .deviceCategoryUnknown(let name, let known):
                .deviceCategoryUnknown(name, known: known)
            case .tooLarge(let max): .notificationTooLarge(maxBytes: max)
            case .unrepresentable: .notificationUnrepresentable()
            case .tooManyUsers(let count, let max): .tooManyUsers(count: count, max: max)
            case .idIllegal(let max): .notificationIDIllegal(maxBytes: max)
            case .tooManySent(let max, let seconds):
                .tooManyNotifications(max: max, retryAfterSeconds: seconds)
            case .tooManyKept(let max): .tooManyKeptNotifications(max: max)
            case .tokenIllegal(let max): .pushTokenIllegal(maxBytes: max)
            case .typeIllegal(let max): .deviceTypeIllegal(maxBytes: max)
            case .tooManyTokens(let max): .tooManyPushTokens(max: max)
            }
    }
}

// MARK: - Sending

extension HTTPFailure {
    fileprivate static func notificationsOff() -> HTTPFailure {
        HTTPFailure(
            .forbidden, "notificationsOff", "nobody may send notifications here",
            help: "the operator can allow it with the setting 'notifications'")
    }

    static func groupUnknown(_ name: String, known: [String]) -> HTTPFailure {
        HTTPFailure(
            .badRequest, "groupUnknown", "the definition has no group '\(name)'",
            help: "the groups are \(quotedList(known))", details: ["group": name])
    }

    fileprivate static func deviceCategoryUnknown(
        _ name: String, known: [String]
    ) -> HTTPFailure {
        HTTPFailure(
            .badRequest, "deviceCategoryUnknown",
            "the definition has no device category '\(name)'",
            help: "the device categories are \(quotedList(known))",
            details: ["deviceCategory": name])
    }

    fileprivate static func notificationTooLarge(maxBytes: Int) -> HTTPFailure {
        HTTPFailure(
            .contentTooLarge, "notificationTooLarge",
            "the notification is larger than \(maxBytes) bytes",
            help: "put what is large into a record or a file, and name that",
            details: ["maxBytes": "\(maxBytes)"])
    }

    fileprivate static func notificationUnrepresentable() -> HTTPFailure {
        HTTPFailure(
            .badRequest, "notificationUnrepresentable",
            "the notification has a number that cannot be held exactly",
            help: "send it as a string")
    }

    fileprivate static func tooManyUsers(count: Int, max: Int) -> HTTPFailure {
        HTTPFailure(
            .contentTooLarge, "tooManyUsers", "\(count) users are too many for one notification",
            help: "name \(max) at most, or their group",
            details: ["count": "\(count)", "max": "\(max)"])
    }

    fileprivate static func notificationIDIllegal(maxBytes: Int) -> HTTPFailure {
        HTTPFailure(
            .badRequest, "notificationIDIllegal", "the notification's id is not acceptable",
            help: "send 1 to \(maxBytes) visible ASCII characters, or none",
            details: ["maxBytes": "\(maxBytes)"])
    }

    fileprivate static func tooManyNotifications(
        max: Int, retryAfterSeconds seconds: Int64
    ) -> HTTPFailure {
        HTTPFailure(
            .tooManyRequests, "tooManyNotifications",
            "you have sent \(max) notifications within a minute",
            help: "try again in \(seconds) s",
            details: ["max": "\(max)", "retryAfterSeconds": "\(seconds)"]
        ).with(.retryAfter, "\(seconds)")
    }
}

extension HTTPFailure {
    fileprivate static func tooManyKeptNotifications(max: Int) -> HTTPFailure {
        HTTPFailure(
            .conflict, "tooManyKeptNotifications",
            "\(max) notifications of yours, or very large ones, are stored",
            help: "send fewer; the server deletes old ones after some days",
            details: ["max": "\(max)"])
    }
}

// MARK: - Push tokens and streams

extension HTTPFailure {
    fileprivate static func pushTokenIllegal(maxBytes: Int) -> HTTPFailure {
        HTTPFailure(
            .badRequest, "pushTokenIllegal", "the push token is not acceptable",
            help: "send 1 to \(maxBytes) characters of printable ASCII",
            details: ["maxBytes": "\(maxBytes)"])
    }

    fileprivate static func deviceTypeIllegal(maxBytes: Int) -> HTTPFailure {
        HTTPFailure(
            .badRequest, "deviceTypeIllegal", "the type of the push token is not acceptable",
            help: "use 1 to \(maxBytes) visible ASCII characters, such as 'http'",
            details: ["maxBytes": "\(maxBytes)"])
    }

    fileprivate static func tooManyPushTokens(max: Int) -> HTTPFailure {
        HTTPFailure(
            .conflict, "tooManyPushTokens", "you have \(max) push tokens on other devices",
            help: "unregister those of devices that are not used any more",
            details: ["max": "\(max)"])
    }

    static func tooManyOwnStreams(max: Int) -> HTTPFailure {
        HTTPFailure(
            .tooManyRequests, "tooManyStreams", "\(max) live streams of yours are open already",
            help: "close one of them, or try again later", details: ["max": "\(max)"]
        ).with(.retryAfter, "\(streamRetrySeconds)")
    }

    static func tooManyStreams(max: Int) -> HTTPFailure {
        HTTPFailure(
            .serviceUnavailable, "tooManyStreams", "\(max) live streams are open already",
            help: "try again later", details: ["max": "\(max)"]
        ).with(.retryAfter, "\(streamRetrySeconds)")
    }
}

private let streamRetrySeconds = 30
