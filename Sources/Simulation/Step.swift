package import JSON
package import SyncProtocol

/// Something that happens. A history is a list of these, and any part of it is a history too: what
/// has become impossible without the rest is passed over.
package enum Step: Hashable, Sendable {
    /// Someone changes a record on their device.
    case edit(client: Int, Draft)
    /// A device sends so many of its changes at most, and wants so many records.
    case sync(client: Int, changes: Int, limit: Int, fate: Fate)
    /// The oldest request that was held up reaches the server. Nobody waits for its answer.
    case arrival
    /// The answer that a device still waits for comes in.
    case answer(client: Int)
    /// Someone looks at the history of a record, and at the list of conflicts.
    case browse(client: Int, guid: String, model: String)
    /// Someone resolves all conflicts that there are, by a rule.
    case resolveAll(client: Int, choosing: ResolutionRequest.Side)
    case clientClock(client: Int, seconds: Int64)
    /// The app of a device with a real client ends, and starts again: at once, or in the midst of
    /// the write with that number from now on.
    case appEnds(client: Int, atWrite: Int)
    case server(ServerStep)

    /// As many as a device ever has to send, and as it wants at once where it does not care.
    static let plenty = 50
}

/// Something that happens to the server, or is done there.
package enum ServerStep: Hashable, Sendable {
    case regroup(login: String, group: String)
    /// All sessions of someone end, as with a new password.
    case endSessions(login: String)
    /// Who waits for an answer gets none.
    case restart
    /// A definition with the same models and other rights takes the place of the present one.
    case deploy(variant: Int)
    /// Gives a record away.
    case reassign(guid: String, model: String, owner: String?, group: String?)
    /// What was deleted so long ago is forgotten.
    case sweep(seconds: Int64)
    case clock(seconds: Int64)
}

/// What becomes of a request and its answer.
package enum Fate: Hashable, Sendable, CaseIterable {
    case answered
    /// The answer comes twice.
    case answeredTwice
    /// It is answered later, or never.
    case answerDelayed
    /// It took effect, and nobody hears of it.
    case answerLost
    case requestLost
    /// The device gives up on it, and it reaches the server later.
    case requestDelayed
    /// It reaches the server twice, and the first or the second answer reaches the device.
    case sentTwice, sentTwiceFirstAnswered
}

/// What someone wants to do to a record.
package struct Draft: Hashable, Sendable {
    package let action: ChangeMessage.Action
    package let model: String
    package let guid: String
    package let fields: [String: JSONValue]
    /// Sent whatever the device's own rules say.
    package let isReckless: Bool
    /// Said instead of the revision that the device has.
    package let falseBase: Int64?

    package init(
        _ action: ChangeMessage.Action, model: String, guid: String,
        fields: [String: JSONValue] = [:], isReckless: Bool = false, falseBase: Int64? = nil
    ) {
        self.action = action
        self.model = model
        self.guid = guid
        self.fields = fields
        self.isReckless = isReckless
        self.falseBase = falseBase
    }
}
