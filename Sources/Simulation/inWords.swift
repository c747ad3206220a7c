import JSON
import SyncEngine
import SyncProtocol

// What people read of a history: short names instead of guids.

extension Step {
    /// What happens, in a line.
    package func inWords(_ setting: Setting) -> String {
        let players = cast(of: setting.definition, clients: setting.clients)
        func device(_ client: Int) -> String { players[client].deviceIdentifier }
        return switch self {
        case .edit(let client, let draft): "\(device(client)) \(draft.inWords)"
        case .sync(let client, let changes, let limit, let fate):
            "\(device(client)) syncs"
                + (changes < Self.plenty ? ", \(changes) changes at most" : "")
                + (limit < Self.plenty ? ", \(limit) records at most" : "")
                + (fate == .answered ? "" : ": \(fate.inWords)")
        case .arrival: "the oldest request that was held up arrives"
        case .answer(let client): "\(device(client)) gets the answer that it still waits for"
        case .browse(let client, let guid, let model):
            "\(device(client)) looks at the history of \(recordInWords(guid, model: model))"
        case .resolveAll(let client, let side):
            "\(device(client)) resolves every conflict for '\(side.rawValue)'"
        case .clientClock(let client, let seconds):
            "the clock of \(device(client)) is set by \(seconds) s"
        case .appEnds(let client, let write):
            "the app of \(device(client)) ends"
                + (write == 0 ? "" : " in the midst of its write \(write) from now")
        case .server(let step): step.inWords
        }
    }
}

extension ServerStep {
    fileprivate var inWords: String {
        switch self {
        case .regroup(let login, let group): "\(login) moves to the group \(group)"
        case .endSessions(let login): "the sessions of \(login) end"
        case .restart: "the server starts again"
        case .deploy(let variant): "variant \(variant) of the definition is deployed"
        case .reassign(let guid, let model, let owner, let group):
            "\(recordInWords(guid, model: model)) is given to "
                + [owner, group.map { "group \($0)" }].compactMap(\.self)
                .joined(separator: ", ")
        case .sweep(let seconds): "what was deleted \(seconds) s ago is swept away"
        case .clock(let seconds): "the server's clock is set by \(seconds) s"
        }
    }
}

extension Fate {
    fileprivate var inWords: String {
        switch self {
        case .answered: "answered"
        case .answeredTwice: "the answer comes twice"
        case .answerDelayed: "done, the answer is late"
        case .answerLost: "done, the answer is lost"
        case .requestLost: "the request is lost"
        case .requestDelayed: "the request is held up"
        case .sentTwice: "it arrives twice, and the second is answered"
        case .sentTwiceFirstAnswered: "it arrives twice, and the first is answered"
        }
    }
}

extension Draft {
    fileprivate var inWords: String {
        let verb =
            switch action {
            case .create: "creates"
            case .update: "updates"
            case .delete: "deletes"
            case .resolve: "resolves"
            }
        let base = falseBase.map { " from revision \($0)" } ?? ""
        let values = fields.isEmpty ? "" : " with \(fields.inWords)"
        return "\(verb) \(recordInWords(guid, model: model))\(base)\(values)"
            + (isReckless ? ", whatever the rules" : "")
    }
}

/// `Note 2.5` is the fifth that the third device made.
func recordInWords(_ guid: String, model: String) -> String {
    let parts = guid.split(separator: "-")
    guard parts.count == 5, let client = Int(parts[0], radix: 16),
        let record = Int(parts[4], radix: 16)
    else { return "\(model) '\(guid)'" }
    return "\(model) \(client).\(record)"
}

extension [String: JSONValue] {
    var inWords: String {
        let members = sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.inWords)" }
        return "{\(members.joined(separator: ", "))}"
    }
}

extension JSONValue {
    fileprivate var inWords: String {
        switch self {
        case .null: "null"
        case .boolean(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .decimal(let text): text
        case .string(let text):
            text.utf8.count == 36 ? recordInWords(text, model: "record") : "\"\(text)\""
        case .array(let values): "[\(values.map(\.inWords).joined(separator: ", "))]"
        case .object(let members): members.inWords
        case .unrepresentable: "a number that is too large"
        }
    }
}

// MARK: - What the auditors speak of

extension AuditedRecord {
    var inWords: String { recordInWords(stored.guid, model: stored.model) }
}

extension Ledger {
    /// What is stored, a line for each record, without times.
    var inWords: [String] {
        records.values.sorted { $0.stored.guid < $1.stored.guid }.map { record in
            let stored = record.stored
            let conflicts = record.conflicts.map { "\($0.revision) \($0.mine.fields.inWords)" }
            return "\(record.inWords) of \(stored.owner) in \(stored.group), revision "
                + "\(stored.revision)\(stored.isDeleted ? ", deleted" : "") "
                + "\(record.fields.inWords) \(conflicts)"
        }
    }
}

extension ChangeMessage {
    var inWords: String { "\(action) of \(recordInWords(guid, model: model)) \(fields.inWords)" }
}

extension HeldChange {
    var inWords: String {
        "\(action) of \(recordInWords(guid, model: model)) \(fields.inWords), \(stage)"
    }
}

extension ChangeName {
    var inWords: String { "change \(id) of \(deviceIdentifier)" }
}

extension PastEntry {
    var inWords: String { "revision \(written.revision), by \(written.deviceIdentifier)" }
}

extension Client {
    var inWords: String { player.deviceIdentifier }

    /// What it holds of a record.
    func inWords(_ guid: String) -> String { records[guid]?.inWords ?? "nothing" }
}

extension RecordMessage {
    var inWords: String {
        let marks = (deleted ? ", deleted" : "") + (conflicted ? ", conflicted" : "")
        return "\(recordInWords(guid, model: model)) at revision \(revision)\(marks)"
            + (fields.map { " with \($0.inWords)" } ?? "")
    }
}
