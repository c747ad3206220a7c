package import DefinitionModel
package import JSON
package import SyncProtocol

/// The client library that apps have, on a device. It is played in the place of the plain `Client`,
/// which then goes along and says what to expect of it.
package protocol RealClient: Sendable {
    /// The user has signed in, for the first time or again.
    func signIn(_ session: RealSession) async throws

    /// Somebody uses the app, also in the midst of a sync.
    func carryOut(_ edit: AppEdit) async throws -> EditAnswer

    /// Begins a sync. One that waits for an answer waits no longer.
    func beginSync() async throws -> SyncTurn

    /// Goes on with the sync that waits for this.
    func take(_ reply: SyncReply) async throws -> SyncTurn

    /// The app ends, and starts again: now, or in the midst of that write from now on.
    func endApp(atWrite write: Int) async throws

    func holdings() async throws -> Holdings

    /// Nothing more is asked of it.
    func close() async
}

/// Makes the client of the device with a number.
package typealias RealClientMaker = @Sendable (Int) async throws -> any RealClient

/// Who is signed in on a device, and what the app there knows.
package struct RealSession: Hashable, Sendable {
    package let login: String
    package let role: Role
    package let token: String
    /// The one that the app was built with.
    package let definition: Definition
}

/// What somebody does in an app.
package struct AppEdit: Hashable, Sendable {
    /// What is done to a record.
    package enum Action: Hashable, Sendable {
        /// A new record, or one that is shown, as it should be.
        case save, remove
        /// Ends the conflicts of a record: it should be so.
        case resolve
    }

    package let action: Action
    package let model: String
    package let guid: String
    /// Of what is saved: all that the app shows, and what was changed in it.
    package let fields: [String: JSONValue]
}

/// What came of what somebody did in an app.
package enum EditAnswer: Hashable, Sendable {
    case done
    /// Nothing was done, for these causes.
    case refused(codes: Set<String>)
    /// Nothing was done, since the app ended over it.
    case appEnded
}

/// What a sync comes to between an answer and its next request.
package struct SyncTurn: Hashable, Sendable {
    /// Nil where the sync has ended.
    package let next: AskedSync?
    /// What the app decided about conflicts, in that order.
    package let settled: [SettledDispute]
    package let hasAppEnded: Bool

    package init(next: AskedSync?, settled: [SettledDispute], hasAppEnded: Bool) {
        self.next = next
        self.settled = settled
        self.hasAppEnded = hasAppEnded
    }
}

/// A request of a sync, with the session that it is made in.
package struct AskedSync: Hashable, Sendable {
    package let token: String
    package var request: SyncRequest

    package init(token: String, request: SyncRequest) {
        self.token = token
        self.request = request
    }
}

/// What an app decided about one conflict.
package struct SettledDispute: Hashable, Sendable {
    /// The change of the device, the record of the server, other fields, or nothing yet.
    package enum Decision: Hashable, Sendable {
        case mine, theirs
        case merged([String: JSONValue])
        case later
    }

    package let guid: String
    package let decision: Decision

    package init(guid: String, decision: Decision) {
        self.guid = guid
        self.decision = decision
    }
}

/// What a device is told in answer to a request.
package enum SyncReply: Hashable, Sendable {
    case response(SyncResponse)
    /// The request has more changes than are taken at once.
    case tooLarge
    case sessionEnded
    /// The user may do nothing from this device.
    case roleUnknown
}

/// All that a device has.
package struct Holdings: Hashable, Sendable {
    package let cursor: String?
    /// As the server sent them, by guid.
    package let records: [String: RecordMessage]
    /// By guid, the fields that the app shows.
    package let shown: [String: [String: JSONValue]]
    /// In the order in which they were made.
    package let waiting: [HeldChange]
    package let refused: [HeldChange]

    package init(
        cursor: String?, records: [String: RecordMessage], shown: [String: [String: JSONValue]],
        waiting: [HeldChange], refused: [HeldChange]
    ) {
        self.cursor = cursor
        self.records = records
        self.shown = shown
        self.waiting = waiting
        self.refused = refused
    }
}

/// A change in the queue of a device.
package struct HeldChange: Hashable, Sendable {
    /// How far it has come.
    package enum Stage: Hashable, Sendable {
        case waiting
        /// Nobody can tell whether it arrived.
        case sent
        /// The app has yet to decide about it.
        case disputed
    }

    package let action: ChangeMessage.Action
    package let model: String
    package let guid: String
    package let fields: [String: JSONValue]
    package let stage: Stage

    package init(
        _ action: ChangeMessage.Action, model: String, guid: String,
        fields: [String: JSONValue], stage: Stage
    ) {
        self.action = action
        self.model = model
        self.guid = guid
        self.fields = fields
        self.stage = stage
    }
}
