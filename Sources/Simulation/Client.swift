import AccessPolicy
import DefinitionModel
import SyncProtocol

/// A device with a plain client that does what the page about the wire says, and no more.
struct Client: Sendable {
    let number: Int
    let player: Player
    /// Nil when nobody is signed in.
    var session: ClientSession?
    /// As the server sent them, by guid.
    private(set) var records: [String: RecordMessage] = [:]
    private(set) var cursor: String?
    /// Whether the last answer said that there is more.
    private(set) var hasMore = true
    /// Changes without an outcome, in the order in which they were made.
    var waiting: [WaitingChange] = []
    /// What the server refused, for the user to see.
    private(set) var refused: [WaitingChange] = []
    /// Ids of changes whose outcomes are stored here.
    private(set) var unacknowledged: [String] = []
    /// Guids of what was held when the records started from nothing again, and has not come yet.
    private var marked: Set<String>?
    private var madeChanges = 0
    /// Ahead of the true time; only people look at it.
    var clockSeconds: Int64 = 0
    /// Whether it only goes along with a real client, and says what to expect of that.
    let goesAlong: Bool
    /// By guid, what an accepted change made of a record that comes with a later page, where that
    /// can be told. A plain client does not look ahead.
    var awaited: [String: RecordMessage?] = [:]

    init(number: Int, player: Player, goesAlong: Bool = false) {
        self.number = number
        self.player = player
        self.goesAlong = goesAlong
    }
}

/// What signing in told.
struct ClientSession: Hashable, Sendable {
    let tokenHash: [UInt8]
    let role: Role
    /// Which of the definitions that were deployed it is.
    let version: Int
}

/// A change that has not got its outcome yet.
struct WaitingChange: Hashable, Sendable {
    var message: ChangeMessage
    /// The revision of the record that its author saw, apart from their own waiting changes; nil
    /// where they lied about it.
    var seen: Int64?
    /// Nil where it breaks a rule.
    var lawful: Lawfulness?
    /// Of a real client; a plain one has no use for it.
    var stage = HeldChange.Stage.waiting
}

/// Under which circumstances a change keeps all rules, as far as its author could know.
struct Lawfulness: Hashable, Sendable {
    let role: Role
    let version: Int
    /// Whose the record was.
    let ownership: Ownership
}

// MARK: - Requests and answers

extension Client {
    /// The next request, with so many changes. An id is not acknowledged while a request that has
    /// the change may still be on its way: it would be taken for a new one.
    func request(changes: Int, limit: Int, onTheWay: Set<String>) -> SyncRequest {
        SyncRequest(
            cursor: cursor, limit: limit,
            changes: waiting.prefix(changes).map(\.message),
            acknowledged: unacknowledged.filter { !onTheWay.contains($0) })
    }

    /// Stores an answer, all of it at once.
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
            if response.more, goesAlong { anticipate(outcome) }
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
    /// Whether its author wanted to be asked, and is.
    var isStale: Bool { causes?.contains { $0.code == "stale" } ?? false }
}

extension Client {
    /// What follows a creation that is refused has nothing to change: the record of that guid, if
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
    /// Puts a change in the queue. It names its base unless it follows another of its record.
    mutating func enqueue(_ draft: Draft, lawful: Lawfulness?) -> WaitingChange {
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
            seen: seen, lawful: seen == nil ? nil : lawful)
        waiting.append(change)
        return change
    }
}

/// Tells the record's number and its maker's.
func guid(ofRecord record: Int, by client: Int) -> String {
    "\(hex(client, digits: 8))-0000-4000-8000-\(hex(record, digits: 12))"
}

private func hex(_ number: Int, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}
