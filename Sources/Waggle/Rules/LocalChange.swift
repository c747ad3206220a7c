import JSON
import SyncProtocol

/// A change that was made on the device and has no outcome yet, or was refused.
struct LocalChange: Hashable, Sendable {
    enum State: String, Hashable, Sendable, CaseIterable {
        case waiting
        /// It was part of a request and may have reached the server: it can no longer be changed.
        case sent
        /// The server has something newer, and whoever settles conflicts has yet to be asked.
        case disputed
        /// Asked, they want to decide another time.
        case postponed
        /// The server refused it. It is no part of what the app sees, and kept to be mended.
        case refused

        /// Whether it is part of what the app sees.
        var isPending: Bool {
            switch self {
            case .waiting, .sent, .disputed, .postponed: true
            case .refused: false
            }
        }
    }

    /// In the order in which changes were made.
    var number: Int64
    /// What the server knows it by.
    var id: String
    var action: ChangeMessage.Action
    var model: String
    var guid: String
    /// The revision that it was made from. Nil for a creation, and for a change that follows one of
    /// the same record that has no outcome yet.
    var base: Int64?
    var fields: [String: JSONValue]
    /// What the app saw of the record when it was made; nil for a creation.
    var before: [String: JSONValue]?
    var state = State.waiting
    /// Whether the model's conflict mode is to settle it, although there is somebody to ask.
    var settlesByMode = false
    /// How often it went out.
    var attempts = 0
    /// Of a refused one.
    var causes: [CauseMessage] = []
}
