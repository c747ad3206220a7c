import JSON
import SyncProtocol

/// Messages for push tokens and notifications.
enum NotificationSamples {
    static let all = [
        GoldenMessage("PushTokenRequest", PushTokenRequest(token: "<0a 1b>")),
        GoldenMessage("PushTokenResponse", PushTokenResponse(type: "ios", reached: false)),
        GoldenMessage(
            "PushTokensResponse",
            PushTokensResponse(
                tokens: [
                    PushTokenMessage(
                        login: "anna", deviceCategory: "mobile", deviceIdentifier: "phone/1",
                        type: "http", token: "https://hooks.example/anna", at: 1_700_000_000_000,
                        reached: true)
                ], cursor: "c1")),
        GoldenMessage("PushTokensResponse-last", PushTokensResponse(tokens: [], cursor: nil)),
        GoldenMessage("NotificationRequest-plain", NotificationRequest(notification: [:])),
        GoldenMessage(
            "NotificationRequest-full",
            NotificationRequest(
                id: "n-1", deviceCategory: "mobile", group: "users", users: ["anna", "bert"],
                notification: ["text": "hi", "parts": .array([.integer(1), .null])])),
        GoldenMessage(
            "NotificationResponse",
            NotificationResponse(id: "n-1", unreachable: ["ios": 2])),
        GoldenMessage(
            "NotificationResponse-silent", NotificationResponse(id: "n-1", unreachable: nil)),
        GoldenMessage(
            "NotificationMessage",
            NotificationMessage(
                id: "n-1", at: 1_700_000_000_000, sender: "anna", notification: ["text": "hi"])),
        GoldenMessage(
            "NotificationMessage-callback",
            NotificationMessage(
                id: "n-1", at: 1_700_000_000_000, sender: "anna", notification: ["text": "hi"],
                login: "bert", deviceIdentifier: "phone/1")),
    ]
}
