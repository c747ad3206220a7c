import JSON
import SyncProtocol

/// A change that was made on the device and has no outcome yet, or was refused.
struct LocalChange: Hashable, Sendable {
    enum State: String, Hashable, Sendable, CaseIterable {
        case waiting
        /// Part of a request that may have reached the server: it can no longer be edited.
        case sent
        /// The server has a newer revision, and the conflict handler has yet to decide.
        case disputed
        /// The conflict handler put the decision off.
        case postponed
        /// The server refused it. The app no longer sees it; it is kept to be corrected.
        case refused

        /// Whether the app sees the change.
        var isPending: Bool {
            switch self {
            case .waiting, .sent, .disputed, .postponed: true
            case .refused: false
            }
        }
    }

    /// The position in the queue; later changes have greater numbers.
    var number: Int64
    /// Identifies the change to the server.
    var id: String
    var action: ChangeMessage.Action
    var model: String
    var guid: String
    /// The revision that it was made from. Nil for a creation, and for a change that follows
    /// another change of the same record without an outcome.
    var base: Int64?
    var fields: [String: JSONValue]
    /// The fields that the app saw when the change was made; nil for a creation.
    var before: [String: JSONValue]?
    var state = State.waiting
    /// Whether the model's conflict mode settles it although there is a conflict handler.
    var settlesByMode = false
    /// The number of requests that it was part of.
    var attempts = 0
    /// The reasons of a refusal; empty in any other state.
    var causes: [CauseMessage] = []
}
