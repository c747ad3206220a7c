import AccessPolicy
import DefinitionModel
import SyncProtocol

/// A device with a minimal client that implements the documented protocol and no more.
struct Client: Sendable {
    let number: Int
    let participant: Participant
    /// Nil while no user is signed in.
    var session: ClientSession? {
        didSet { lastRole = session?.role ?? lastRole }
    }
    /// The user's role at the last sign-in.
    private(set) var lastRole: Role?
    /// As received from the server, by guid.
    var records: [String: RecordMessage] = [:]
    private(set) var cursor: String?
    /// Whether the last answer announced more records.
    private(set) var hasMore = true
    /// Changes without an outcome, oldest first.
    var waiting: [WaitingChange] = []
    /// Changes that the server refused, for display to the user.
    var refused: [WaitingChange] = []
    /// Ids of changes whose outcomes are stored here but not acknowledged yet.
    private(set) var unacknowledged: [String] = []
    /// During a resync, guids of the records from before that have not been received again.
    private var marked: Set<String>?
    private var madeChanges = 0
    /// The offset of the device's clock; shown to users only.
    var clockSeconds: Int64 = 0
    /// Nil if the app is that of now.
    var app: AppVersion?
    /// Whether the client shadows a real one and predicts its state.
    let shadowsRealClient: Bool
    /// By guid, the predicted result of an accepted change to a record that comes with a later
    /// page, if it can be predicted. Used only to shadow a real client.
    var awaited: [String: RecordMessage?] = [:]

    init(number: Int, participant: Participant, shadowsRealClient: Bool = false) {
        self.number = number
        self.participant = participant
        self.shadowsRealClient = shadowsRealClient
    }
}

/// The result of signing in.
struct ClientSession: Hashable, Sendable {
    let tokenHash: [UInt8]
    let role: Role
    /// The index of the definition among those deployed.
    let version: Int
}

/// A change without an outcome.
struct WaitingChange: Hashable, Sendable {
    var message: ChangeMessage
    /// The revision of the record that the author saw, apart from own waiting changes; nil if the
    /// stated base is false.
    var seen: Int64?
    /// Nil if the change violates a rule.
    var validity: ValidityContext?
    /// The stage in a real client; unused for a minimal one.
    var stage = HeldChange.Stage.waiting
}

/// The conditions under which a change is valid, as far as its author could know.
struct ValidityContext: Hashable, Sendable {
    let role: Role
    let version: Int
    /// The ownership of the record.
    let ownership: Ownership
}

// MARK: - Requests and answers

extension Client {
    /// The next request, with at most `changes` changes. Earlier requests with acknowledged changes
    /// may still be in transit.
    func request(changes: Int, limit: Int) -> SyncRequest {
        SyncRequest(
            cursor: cursor, limit: limit,
            changes: waiting.prefix(changes).map(\.message), acknowledged: unacknowledged)
    }

    /// Stores an answer atomically.
    mutating func receive(_ response: SyncResponse, to request: SyncRequest) {
        if response.resync || request.cursor == nil { marked = Set(records.keys) }
        for record in response.records {
            marked?.remove(record.guid)
            let isGone = record.deleted && !record.conflicted
            records[record.guid] = isGone ? nil : record
            awaited[record.guid] = nil
        }
        for record in response.dropped {
            marked?.remove(record.guid)
            records[record.guid] = nil
            awaited[record.guid] = nil
        }
        cursor = response.cursor
        hasMore = response.more
        if !response.more {
            for guid in marked ?? [] { records[guid] = nil }
            marked = nil
            awaited = [:]
        }
        let acknowledged = Set(request.acknowledged)
        unacknowledged.removeAll(where: acknowledged.contains)
        for outcome in response.outcomes {
            if response.more, shadowsRealClient { anticipate(outcome) }
            settle(outcome)
        }
    }

    private mutating func settle(_ outcome: OutcomeMessage) {
        guard let index = waiting.firstIndex(where: { $0.message.id == outcome.id }) else { return }
        guard !outcome.isStale else {
            let isFirst = !waiting[..<index].contains {
                $0.message.guid == outcome.guid && $0.stage == .disputed
            }
            waiting[index].stage = isFirst ? .disputed : .waiting
            return
        }
        let change = waiting.remove(at: index)
        unacknowledged.append(outcome.id)
        if outcome.outcome == .refused { refuse(change) }
        let follower = waiting.firstIndex {
            $0.message.guid == change.message.guid && $0.message.base == nil
                && $0.message.action != .create
        }
        guard let follower else { return }
        waiting[follower].message.base =
            change.message.action == .create ? 1 : change.message.base
    }
}

extension OutcomeMessage {
    /// Whether the author asked to decide stale changes, and has to.
    var isStale: Bool { causes?.contains { $0.code == "stale" } ?? false }
}

extension Client {
    /// Changes that follow a refused creation are dropped with it: a record with that guid, if
    /// there is one, is another.
    private mutating func refuse(_ change: WaitingChange) {
        refused.append(change)
        guard change.message.action == .create else { return }
        let followsIt = { (other: WaitingChange) in other.message.guid == change.message.guid }
        refused += waiting.filter(followsIt)
        waiting.removeAll(where: followsIt)
    }
}

// MARK: - Changes

extension Client {
    /// Appends a change to the queue. It names its base unless it follows another change of its
    /// record.
    mutating func enqueue(_ draft: Draft, validity: ValidityContext?) -> WaitingChange {
        madeChanges += 1
        let predecessor = waiting.last { $0.message.guid == draft.guid }
        let held = records[draft.guid]?.revision
        let follows = predecessor != nil || draft.action == .create
        let known = predecessor.map(\.seen) ?? (draft.action == .create ? 0 : held)
        let seen = draft.falseBase == nil ? known : nil
        let change = WaitingChange(
            message: ChangeMessage(
                id: "\(madeChanges)", action: draft.action, model: draft.model, guid: draft.guid,
                base: draft.falseBase ?? (follows ? nil : held), fields: draft.fields),
            seen: seen, validity: seen == nil ? nil : validity)
        waiting.append(change)
        return change
    }
}

/// Encodes the numbers of the record and of the client that created it.
func guid(ofRecord record: Int, by client: Int) -> String {
    "\(hex(client, digits: 8))-0000-4000-8000-\(hex(record, digits: 12))"
}

private func hex(_ number: Int, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}
