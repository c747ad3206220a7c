package import JSON
package import SyncProtocol

/// An event in a history. A history is a list of steps, and any subsequence of it is a history too:
/// steps that are impossible without the omitted ones are skipped.
package enum Step: Hashable, Sendable {
    /// A user edits a record on a device.
    case edit(client: Int, Draft)
    /// A device sends at most `changes` changes and asks for `limit` records.
    case sync(client: Int, changes: Int, limit: Int, fault: DeliveryFault)
    /// The oldest delayed request reaches the server. Its answer is discarded.
    case arrival
    /// A delayed answer reaches the device that waits for it.
    case answer(client: Int)
    /// A user reads the history of a record and the list of conflicts.
    case browse(client: Int, guid: String, model: String)
    /// A user resolves all open conflicts by a fixed rule.
    case resolveAll(client: Int, choosing: ResolutionRequest.Side)
    case clientClock(client: Int, seconds: Int64)
    /// The app of a device with a real client ends and restarts: at once, or during the given write
    /// from now.
    case appEnds(client: Int, atWrite: Int)
    /// An earlier app is replaced by that of now, with all that it has stored.
    case appUpdate(client: Int)
    /// The same, by an app of the version that is prepared.
    case appIsAhead(client: Int)
    /// A user continues on a new device with the app of now.
    case newDevice(client: Int)
    case server(ServerStep)
    /// A user of a device does something in a client of another wire.
    case foreign(client: Int, ForeignPush)
    /// A user of a device makes a request in a client of another wire, for the first time or again.
    case request(client: Int, ForeignRequest)
    /// A row that was deleted in another service is imported for the user of a device, for the
    /// first time or again.
    case deletedRow(client: Int, Draft)

    /// More changes than a device ever has to send, and the page size of devices without a
    /// preference.
    static let largePage = 50
}

/// An event at the server.
package enum ServerStep: Hashable, Sendable {
    case regroup(login: String, group: String)
    /// All sessions of a user end, as after a change of password.
    case endSessions(login: String)
    /// Requests in progress get no answer.
    case restart
    /// Deploys a definition with the same models and other rights.
    case deploy(variant: Int)
    /// Deploys the definition that requires a field, and brings values to the records without one.
    case require
    /// Prepares the next version of a definition that changes: apps of it are served before it is
    /// deployed.
    case prepare([Evolution], forgetsNames: Bool)
    /// Deploys the version that is prepared.
    case deployPrepared
    /// Deploys the next version of a definition that changes.
    case evolve([Evolution], forgetsNames: Bool)
    /// Deploys the version again that was replaced last.
    case goBack
    /// The server fills in the next of these values.
    case fill
    /// Changes the ownership of a record.
    case reassign(guid: String, model: String, owner: String?, group: String?)
    /// Removes records that were deleted this long ago.
    case sweep(seconds: Int64)
    case clock(seconds: Int64)
}

/// Changes of a client of another wire, which are made from the present state of the records.
package enum ForeignPush: Hashable, Sendable {
    /// Brings a deleted record back.
    case restoration(guid: String, model: String)
    /// Adds to a whole number of a record.
    case addition(guid: String, model: String, field: String, amount: Int64)
    /// Puts an element at the end of a JSON array of a record.
    case element(Int64, guid: String, model: String, field: String)
    /// Updates of records, all or none.
    case wholeBatch([Draft])
}

/// The way in which a request and its answer are delivered.
package enum DeliveryFault: Hashable, Sendable, CaseIterable {
    case answered
    /// The answer arrives twice.
    case answeredTwice
    /// The answer arrives later or never.
    case answerDelayed
    /// The request takes effect, but its answer is lost.
    case answerLost
    /// The request does not reach the server, or its caller has gone while it is decided.
    case requestLost
    /// The device gives up, and the request reaches the server later.
    case requestDelayed
    /// The request reaches the server twice; the device gets the second or the first answer.
    case sentTwice, sentTwiceFirstAnswered
}

/// An edit that a user intends.
package struct Draft: Hashable, Sendable {
    package let action: ChangeMessage.Action
    package let model: String
    package let guid: String
    package let fields: [String: JSONValue]
    /// Sent even if the device's own rules forbid it.
    package let isUnchecked: Bool
    /// Sent in place of the revision that the device has.
    package let falseBase: Int64?

    package init(
        _ action: ChangeMessage.Action, model: String, guid: String,
        fields: [String: JSONValue] = [:], isUnchecked: Bool = false, falseBase: Int64? = nil
    ) {
        self.action = action
        self.model = model
        self.guid = guid
        self.fields = fields
        self.isUnchecked = isUnchecked
        self.falseBase = falseBase
    }
}
