import AccessPolicy
import ChangeRules
import JSON
import SyncEngine
import SyncProtocol

// Messages in the words of a version, and in lasting words.

extension AppVersion {
    /// A request in the words of the app.
    func own(_ request: SyncRequest) -> SyncRequest {
        var request = request
        for index in request.changes.indices {
            let model = request.changes[index].model
            request.changes[index].model = vocabulary.own(model)
            request.changes[index].fields = vocabulary.own(request.changes[index].fields, of: model)
        }
        return request
    }

    /// An answer in lasting words. Throws if it has a name that is none of the app's.
    func lasting(_ response: SyncResponse) throws(InvariantViolation) -> SyncResponse {
        var response = response
        for index in response.outcomes.indices {
            // A device may have kept a change of a model that its version does not have.
            let name = response.outcomes[index].model
            guard let model = vocabulary.lasting(presentOrFormer: name) else {
                throw Self.violation(by: name)
            }
            response.outcomes[index].model = model
            response.outcomes[index].causes = try lasting(
                response.outcomes[index].causes, of: model)
        }
        for index in response.records.indices {
            response.records[index] = try lasting(response.records[index])
        }
        for index in response.dropped.indices {
            response.dropped[index].model = try lasting(response.dropped[index].model)
        }
        return response
    }

    func lasting(_ record: RecordMessage) throws(InvariantViolation) -> RecordMessage {
        var record = record
        record.model = try lasting(record.model)
        if let fields = record.fields { record.fields = try lasting(fields, of: record.model) }
        guard var conflicts = record.conflicts else { return record }
        for index in conflicts.indices {
            let conflict = conflicts[index]
            conflicts[index].base.fields = try lasting(conflict.base.fields, of: record.model)
            conflicts[index].mine.fields = try lasting(conflict.mine.fields, of: record.model)
            conflicts[index].theirs.fields = try lasting(conflict.theirs.fields, of: record.model)
        }
        record.conflicts = conflicts
        return record
    }

    /// - Parameter model: The lasting name.
    func lasting(
        _ fields: [String: JSONValue], of model: String
    ) throws(InvariantViolation) -> [String: JSONValue] {
        try vocabulary.lasting(fields, of: model, unknown: Self.violation(by:))
    }

    private func lasting(
        _ causes: [CauseMessage]?, of model: String
    ) throws(InvariantViolation) -> [CauseMessage]? {
        guard var causes else { return nil }
        for index in causes.indices {
            guard let field = causes[index].field else { continue }
            // An outcome may be repeated after an update of the app.
            guard let name = vocabulary.lasting(presentOrFormer: field, of: model) else {
                throw Self.violation(by: field)
            }
            causes[index].field = name
        }
        return causes
    }

    private func lasting(_ model: String) throws(InvariantViolation) -> String {
        guard let name = vocabulary.lasting(model) else { throw Self.violation(by: model) }
        return name
    }

    private static func violation(by name: String) -> InvariantViolation {
        InvariantViolation(
            .everyAppIsUnderstood, "an app is told '\(name)', which it does not know")
    }
}

extension AppVersion {
    /// A record in lasting words as the app reads it, without conflicts and in its own words; nil
    /// if it does not know the model.
    func own(_ record: RecordView, for asker: Asker, servedBy served: Rules) -> RecordView? {
        guard rules.model(named: record.model) != nil else { return nil }
        let ownership = Ownership(owner: record.owner, group: record.group)
        return RecordView(
            model: vocabulary.own(record.model), guid: record.guid, revision: record.revision,
            owner: record.owner, group: record.group, isDeleted: record.isDeleted,
            isConflicted: record.isConflicted,
            fields: record.fields.map {
                vocabulary.own(
                    fields(
                        $0, of: record.model, ownedBy: ownership, for: asker, servedBy: served),
                    of: record.model)
            })
    }

    /// A record of the version in lasting words, without conflicts.
    func lasting(_ record: RecordView) throws(InvariantViolation) -> RecordView {
        let model = try lasting(record.model)
        var fields: [String: JSONValue]?
        if let own = record.fields { fields = try lasting(own, of: model) }
        return RecordView(
            model: model, guid: record.guid, revision: record.revision, owner: record.owner,
            group: record.group, isDeleted: record.isDeleted, isConflicted: record.isConflicted,
            fields: fields)
    }
}
