import JSON
import SyncEngine
import SyncProtocol

// Descriptions of histories for users, with short names in place of guids.

extension Step {
    /// The step in one line.
    package func summary(_ scenario: Scenario) -> String {
        let participants = participants(of: scenario.definition, clients: scenario.clients)
        func device(_ client: Int) -> String { participants[client].deviceIdentifier }
        return switch self {
        case .edit(let client, let draft): "\(device(client)) \(draft.summary)"
        case .sync(let client, let changes, let limit, let fault):
            "\(device(client)) syncs"
                + (changes < Self.largePage ? ", \(changes) changes at most" : "")
                + (limit < Self.largePage ? ", \(limit) records at most" : "")
                + (fault == .answered ? "" : ": \(fault.summary)")
        case .arrival: "the oldest delayed request arrives"
        case .answer(let client): "\(device(client)) gets the delayed answer"
        case .browse(let client, let guid, let model):
            "\(device(client)) reads the history of \(shortName(guid, model: model))"
        case .resolveAll(let client, let side):
            "\(device(client)) resolves every conflict for '\(side.rawValue)'"
        case .clientClock(let client, let seconds):
            "the clock of \(device(client)) is set by \(seconds) s"
        case .appEnds(let client, let write):
            "the app of \(device(client)) ends"
                + (write == 0 ? "" : " during its write \(write) from now")
        case .appUpdate(let client): "the app of \(device(client)) is updated"
        case .appIsAhead(let client):
            "the app of \(device(client)) is updated to the version that is prepared"
        case .newDevice(let client): "\(device(client)) is replaced by a new device"
        case .server(let step): step.summary
        case .foreign(let client, let push): "\(device(client)) \(push.summary)"
        case .request(let client, let request): "\(device(client)) \(request.summary)"
        case .deletedRow(let client, let row):
            "\(shortName(row.guid, model: row.model)) of \(device(client)) with "
                + "\(row.fields.summary) is imported as deleted"
        }
    }
}

extension ServerStep {
    fileprivate var summary: String {
        switch self {
        case .regroup(let login, let group): "\(login) moves to the group \(group)"
        case .endSessions(let login): "the sessions of \(login) end"
        case .restart: "the server restarts"
        case .deploy(let variant): "variant \(variant) of the definition is deployed"
        case .require: "a field is required from now on"
        case .prepare(let changes, let forgetsNames):
            "a version is prepared: \(changes.summary(forgetsNames))"
        case .deployPrepared: "the prepared version is deployed"
        case .evolve(let changes, let forgetsNames):
            "a version is deployed: \(changes.summary(forgetsNames))"
        case .goBack: "the version before is deployed again"
        case .fill: "the server fills in values of the deployment"
        case .reassign(let guid, let model, let owner, let group):
            "\(shortName(guid, model: model)) is given to "
                + [owner, group.map { "group \($0)" }].compactMap(\.self)
                .joined(separator: ", ")
        case .sweep(let seconds): "records deleted \(seconds) s ago are purged"
        case .clock(let seconds): "the server's clock is set by \(seconds) s"
        }
    }
}

extension [Evolution] {
    fileprivate func summary(_ forgetsNames: Bool) -> String {
        map(\.summary).joined(separator: ", ") + (forgetsNames ? ", forgetting former names" : "")
    }
}

extension ForeignPush {
    fileprivate var summary: String {
        switch self {
        case .restoration(let guid, let model):
            "restores \(shortName(guid, model: model)) by another wire"
        case .addition(let guid, let model, let field, let amount):
            "adds \(amount) to '\(field)' of \(shortName(guid, model: model)) by another wire"
        case .element(let element, let guid, let model, let field):
            "puts \(element) into '\(field)' of \(shortName(guid, model: model)) by another wire"
        case .wholeBatch(let drafts):
            drafts.map(\.summary).joined(separator: " and ") + ", all or nothing, by another wire"
        }
    }
}

extension ForeignRequest {
    fileprivate var summary: String {
        "makes request \(number) by another wire: "
            + questions.map(\.summary).joined(separator: "; ")
    }
}

extension ForeignQuestion {
    fileprivate var summary: String {
        let revision = base.map { " at revision \($0)" } ?? ""
        return (["asks for \(shortName(guid, model: model))\(revision)"] + parts.map(\.summary))
            .joined(separator: ", ")
    }
}

extension DeliveryFault {
    fileprivate var summary: String {
        switch self {
        case .answered: "answered"
        case .answeredTwice: "the answer arrives twice"
        case .answerDelayed: "applied, the answer is delayed"
        case .answerLost: "applied, the answer is lost"
        case .requestLost: "the request is lost"
        case .requestDelayed: "the request is delayed"
        case .sentTwice: "the request arrives twice, and the second is answered"
        case .sentTwiceFirstAnswered: "the request arrives twice, and the first is answered"
        }
    }
}

extension Draft {
    fileprivate var summary: String {
        let verb =
            switch action {
            case .create: "creates"
            case .update: "updates"
            case .delete: "deletes"
            case .resolve: "resolves"
            }
        let base = falseBase.map { " from revision \($0)" } ?? ""
        let values = fields.isEmpty ? "" : " with \(fields.summary)"
        return "\(verb) \(shortName(guid, model: model))\(base)\(values)"
            + (isUnchecked ? ", against the rules" : "")
    }
}

/// `Note 2.5` is the sixth record that the third device created.
func shortName(_ guid: String, model: String) -> String {
    let parts = guid.split(separator: "-")
    guard parts.count == 5, let client = Int(parts[0], radix: 16),
        let record = Int(parts[4], radix: 16)
    else { return "\(model) '\(guid)'" }
    return "\(model) \(client).\(record)"
}

extension [String: JSONValue] {
    var summary: String {
        let members = sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.summary)" }
        return "{\(members.joined(separator: ", "))}"
    }
}

extension JSONValue {
    fileprivate var summary: String {
        switch self {
        case .null: "null"
        case .boolean(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .decimal(let text): text
        case .string(let text):
            text.utf8.count == 36 ? shortName(text, model: "record") : "\"\(text)\""
        case .array(let values): "[\(values.map(\.summary).joined(separator: ", "))]"
        case .object(let members): members.summary
        case .unrepresentable: "a number that is too large"
        }
    }
}

// MARK: - Values in findings

extension AuditedRecord {
    var summary: String { shortName(stored.guid, model: stored.model) }
}

extension Auditor {
    /// All stored records, a line for each, without times.
    var summary: [String] {
        records.values.sorted { $0.stored.guid < $1.stored.guid }.map { record in
            let stored = record.stored
            let conflicts = record.conflicts.map {
                "\($0.revision) \($0.mine.fields.summary)"
            }
            return "\(record.summary) of \(stored.owner) in \(stored.group), revision "
                + "\(stored.revision)\(stored.isDeleted ? ", deleted" : "") "
                + "\(record.fields.summary) \(conflicts)"
        }
    }
}

extension ChangeMessage {
    var summary: String {
        "\(action) of \(shortName(guid, model: model)) \(fields.summary)"
    }
}

extension HeldChange {
    var summary: String {
        "\(action) of \(shortName(guid, model: model)) \(fields.summary), \(stage)"
    }
}

extension ChangeName {
    var summary: String { "change \(id) of \(deviceIdentifier)" }
}

extension TimelineEntry {
    var summary: String { "revision \(written.revision), by \(written.deviceIdentifier)" }
}

extension Client {
    var summary: String { participant.deviceIdentifier }

    /// The device's version of a record.
    func summary(_ guid: String) -> String { records[guid]?.summary ?? "nothing" }
}

extension RecordMessage {
    var summary: String {
        let marks = (deleted ? ", deleted" : "") + (conflicted ? ", conflicted" : "")
        return "\(shortName(guid, model: model)) at revision \(revision)\(marks)"
            + (fields.map { " with \($0.summary)" } ?? "")
    }
}
