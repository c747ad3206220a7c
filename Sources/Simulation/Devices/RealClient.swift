package import DefinitionModel
package import JSON
package import SyncProtocol

/// The client library that apps use, on a device. It replaces the minimal `Client`, which then
/// shadows it and predicts its state.
package protocol RealClient: Sendable {
    /// The user signed in, for the first time or again.
    func signIn(_ session: RealSession) async throws

    /// The user edits in the app, possibly during a sync.
    func carryOut(_ edit: AppEdit) async throws -> EditAnswer

    /// Starts a sync. A sync that waits for an answer is abandoned.
    func beginSync() async throws -> SyncTurn

    /// The app is replaced by one that was built with another version of the definition, and opens
    /// what the former one has stored. A sync that waits for an answer is abandoned.
    func update(to definition: Definition) async throws

    /// Continues the sync that waits for this reply.
    func take(_ reply: SyncReply) async throws -> SyncTurn

    /// Ends and restarts the app: at once, or during the given write from now.
    func endApp(atWrite write: Int) async throws

    func holdings() async throws -> Holdings

    /// The client is not used again.
    func close() async
}

/// Makes the client of the device with the given number.
package typealias RealClientMaker = @Sendable (Int) async throws -> any RealClient

/// The signed-in user of a device, and the definition of its app.
package struct RealSession: Hashable, Sendable {
    package let login: String
    package let role: Role
    package let token: String
    /// The definition that the app was built with.
    package var definition: Definition
}

/// An edit in an app.
package struct AppEdit: Hashable, Sendable {
    /// The kind of an edit.
    package enum Action: Hashable, Sendable {
        /// Saves a new or a shown record, or removes one.
        case save, remove
        /// Resolves the conflicts of a record with the given fields.
        case resolve
    }

    package let action: Action
    package let model: String
    package let guid: String
    /// For a saved record, all fields that the app shows, with the changes.
    package let fields: [String: JSONValue]
}

/// The result of an edit in an app.
package enum EditAnswer: Hashable, Sendable {
    case done
    /// Nothing was saved, for these causes.
    case refused(codes: Set<String>)
    /// Nothing was saved, because the app ended during the edit.
    case appEnded
}

/// The state of a sync after an answer, before the next request.
package struct SyncTurn: Hashable, Sendable {
    /// Nil if the sync has ended.
    package let next: AskedSync?
    /// The app's decisions about disputed changes, in order.
    package let settled: [SettledDispute]
    package let hasAppEnded: Bool

    package init(next: AskedSync?, settled: [SettledDispute], hasAppEnded: Bool) {
        self.next = next
        self.settled = settled
        self.hasAppEnded = hasAppEnded
    }
}

/// A request of a sync, with the session it uses.
package struct AskedSync: Hashable, Sendable {
    package let token: String
    package var request: SyncRequest
    /// The fingerprint of the version that the app names.
    package var version: String

    package init(token: String, request: SyncRequest, version: String) {
        self.token = token
        self.request = request
        self.version = version
    }
}

/// The app's decision about one disputed change.
package struct SettledDispute: Hashable, Sendable {
    /// Keep the device's change, take the server's record, save other fields, or decide later.
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

/// The reply to a request of a device.
package enum SyncReply: Hashable, Sendable {
    case response(SyncResponse)
    /// The request contains more changes than the server accepts at once.
    case tooLarge
    case sessionEnded
    /// The user has no role on this device.
    case roleUnknown
}

/// The complete state of a device.
package struct Holdings: Hashable, Sendable {
    package let cursor: String?
    /// As received from the server, by guid.
    package let records: [String: RecordMessage]
    /// The values that the app shows, by guid.
    package let shown: [String: ShownRecord]
    /// Waiting changes, oldest first.
    package let waiting: [HeldChange]
    package let refused: [HeldChange]

    package init(
        cursor: String?, records: [String: RecordMessage], shown: [String: ShownRecord],
        waiting: [HeldChange], refused: [HeldChange]
    ) {
        self.cursor = cursor
        self.records = records
        self.shown = shown
        self.waiting = waiting
        self.refused = refused
    }
}

/// A record as an app shows it.
package struct ShownRecord: Hashable, Sendable {
    package let model: String
    package let fields: [String: JSONValue]

    package init(model: String, fields: [String: JSONValue]) {
        self.model = model
        self.fields = fields
    }
}

/// A change in the queue of a device.
package struct HeldChange: Hashable, Sendable {
    /// The progress of a change.
    package enum Stage: Hashable, Sendable {
        case waiting
        /// The request was sent and may have arrived.
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
