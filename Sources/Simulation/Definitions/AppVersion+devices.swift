import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import SyncProtocol

// Values and messages of the client library, which have the names of its version.

extension AppVersion {
    func own(_ edit: AppEdit) -> AppEdit {
        AppEdit(
            action: edit.action, model: vocabulary.own(edit.model), guid: edit.guid,
            fields: vocabulary.own(edit.fields, of: edit.model))
    }

    /// An answer as it was before it got lasting words.
    func own(_ response: SyncResponse) -> SyncResponse {
        var response = response
        response.outcomes = response.outcomes.map(own)
        response.records = response.records.map(own)
        for index in response.dropped.indices {
            response.dropped[index].model = vocabulary.own(response.dropped[index].model)
        }
        return response
    }

    private func own(_ outcome: OutcomeMessage) -> OutcomeMessage {
        var outcome = outcome
        outcome.causes = outcome.causes?.map { cause in
            var cause = cause
            cause.field = cause.field.map { vocabulary.own(field: $0, of: outcome.model) }
            return cause
        }
        outcome.model = vocabulary.own(outcome.model)
        return outcome
    }

    private func own(_ record: RecordMessage) -> RecordMessage {
        record.with(model: vocabulary.own(record.model)) {
            vocabulary.own($0, of: record.model)
        }
    }
}

// MARK: - In lasting words

extension AppVersion {
    /// A request of the app. A change may have names of the version in which it was made, if this
    /// one does not have what they stand for.
    func lasting(kept request: SyncRequest) -> SyncRequest {
        var request = request
        for index in request.changes.indices {
            let change = request.changes[index]
            let model = lasting(kept: change.model)
            request.changes[index].model = model
            request.changes[index].fields = lasting(kept: change.fields, of: model)
        }
        return request
    }

    /// The values that a device holds, without those that this version does not show.
    func lasting(_ holdings: Holdings) -> Holdings {
        Holdings(
            cursor: holdings.cursor, records: holdings.records.compactMapValues(known),
            shown: holdings.shown.compactMapValues { shown in
                knownModel(shown.model).map {
                    ShownRecord(model: $0, fields: known(shown.fields, of: $0))
                }
            },
            waiting: holdings.waiting.map(lasting), refused: holdings.refused.map(lasting))
    }

    /// - Parameter model: The lasting name.
    func lasting(_ dispute: SettledDispute, of model: String) -> SettledDispute {
        guard case .merged(let fields) = dispute.decision else { return dispute }
        return SettledDispute(guid: dispute.guid, decision: .merged(known(fields, of: model)))
    }

    private func lasting(_ change: HeldChange) -> HeldChange {
        let model = lasting(kept: change.model)
        return HeldChange(
            change.action, model: model, guid: change.guid,
            fields: lasting(kept: change.fields, of: model), stage: change.stage)
    }

    private func lasting(kept model: String) -> String {
        guard let lasting = vocabulary.lasting(presentOrFormer: model),
            vocabulary.own(lasting) == model || rules.model(named: lasting) == nil
        else { return Self.misnamed(model) }
        return lasting
    }

    private func lasting(
        kept fields: [String: JSONValue], of model: String
    ) -> [String: JSONValue] {
        let named = fields.map { name, value in
            guard let lasting = vocabulary.lasting(presentOrFormer: name, of: model),
                vocabulary.own(field: lasting, of: model) == name
                    || field(lasting, of: model) == nil
            else { return (Self.misnamed(name), value) }
            return (lasting, value)
        }
        return Dictionary(named, uniquingKeysWith: { first, _ in first })
    }

    /// A name that no device has.
    private static func misnamed(_ name: String) -> String { "\(name), which is no name here" }

    private func known(_ record: RecordMessage) -> RecordMessage? {
        knownModel(record.model).map { model in
            record.with(model: model) { known($0, of: model) }
        }
    }

    private func known(_ fields: [String: JSONValue], of model: String) -> [String: JSONValue] {
        let known = fields.compactMap { name, value in
            vocabulary.lasting(field: name, of: model).flatMap { lasting in
                field(lasting, of: model) == nil ? nil : (lasting, value)
            }
        }
        return Dictionary(known, uniquingKeysWith: { first, _ in first })
    }

    private func knownModel(_ own: String) -> String? {
        vocabulary.lasting(own).flatMap { rules.model(named: $0) == nil ? nil : $0 }
    }
}

extension RecordMessage {
    /// The record with another model, and with its fields and those of its conflicts as `named`
    /// makes them.
    func with(
        model: String, _ named: ([String: JSONValue]) -> [String: JSONValue]
    ) -> RecordMessage {
        var record = self
        record.model = model
        record.fields = fields.map(named)
        record.conflicts = conflicts?.map { conflict in
            var conflict = conflict
            conflict.base.fields = named(conflict.base.fields)
            conflict.mine.fields = named(conflict.mine.fields)
            conflict.theirs.fields = named(conflict.theirs.fields)
            return conflict
        }
        return record
    }
}

// MARK: - Updates

extension AppVersion {
    /// Whether one of both versions tells every name that differs in the other one. If not, an app
    /// that is updated loses the words of its unsent edits, as the documentation of devices says.
    func follows(_ former: AppVersion) -> Bool {
        let pairs = differingNames(from: former)
        return pairs.allSatisfy { $0.isToldByLater } || pairs.allSatisfy { $0.isToldByFormer }
    }

    private func differingNames(
        from former: AppVersion
    ) -> [(isToldByLater: Bool, isToldByFormer: Bool)] {
        var names: [(isToldByLater: Bool, isToldByFormer: Bool)] = []
        for model in rules.definition.models.map(\.name) {
            guard let own = ownModel(model), let other = former.ownModel(model) else { continue }
            if own.name != other.name {
                names.append(
                    (own.renamedFrom.contains(other.name), other.renamedFrom.contains(own.name)))
            }
            for field in rules.model(named: model)?.model.fields ?? [] {
                let name = vocabulary.own(field: field.name, of: model)
                let otherName = former.vocabulary.own(field: field.name, of: model)
                guard name != otherName, let one = own.fields.first(where: { $0.name == name }),
                    let two = other.fields.first(where: { $0.name == otherName })
                else { continue }
                names.append(
                    (one.renamedFrom.contains(otherName), two.renamedFrom.contains(name)))
            }
        }
        return names
    }

    private func ownModel(_ lasting: String) -> Model? {
        definition.models.first { $0.name == vocabulary.own(lasting) }
    }
}
