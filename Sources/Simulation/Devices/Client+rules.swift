import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import SyncProtocol

extension Client {
    /// Makes a change, unless the device's own rules, which are those of the server, forbid it.
    mutating func edit(_ draft: Draft, by rules: Rules) -> WaitingChange? {
        guard let session else {
            return draft.isUnchecked ? enqueue(draft, validity: nil) : nil
        }
        let isLawful = allows(draft, in: session.role, by: rules)
        guard isLawful || draft.isUnchecked else { return nil }
        let own = Ownership(owner: participant.login, group: session.role.group)
        let lawfulness = ValidityContext(
            role: session.role, version: session.version,
            ownership: seen(draft.guid)?.ownership ?? own)
        return enqueue(draft, validity: isLawful && !draft.isUnchecked ? lawfulness : nil)
    }

    func allows(_ draft: Draft, in role: Role, by rules: Rules) -> Bool {
        guard let model = rules.model(named: draft.model) else { return false }
        let asker = Asker(login: participant.login, group: role.group, role: role)
        return switch draft.action {
        case .create:
            seen(draft.guid) == nil
                && isValid(draft, in: model, creating: true)
                && isAllowed(
                    .create, draft, of: Ownership(owner: asker.login, group: asker.group), asker,
                    rules)
        case .update, .delete, .resolve: allowsChange(draft, of: model, asker, rules)
        }
    }

    private func allowsChange(
        _ draft: Draft, of model: ModelRules, _ asker: Asker, _ rules: Rules
    ) -> Bool {
        guard let record = seen(draft.guid), record.model == draft.model,
            isValid(draft, in: model, creating: false)
        else { return false }
        let isWaiting = waiting.contains { $0.message.guid == draft.guid }
        return switch draft.action {
        case .create: false
        case .update:
            (!record.isDeleted || canUndoDeletion(of: draft.guid))
                && isAllowed(.update, draft, of: record.ownership, asker, rules)
        case .delete: isAllowed(.delete, draft, of: record.ownership, asker, rules)
        case .resolve:
            record.isConflicted && (shadowsRealClient || !isWaiting)
                && isAllowed(.update, draft, of: record.ownership, asker, rules)
                && asker.may(.resolve, .model(draft.model), of: record.ownership, rules)
        }
    }

    /// An app can restore a record by saving it again while the deletion has not been sent.
    func canUndoDeletion(of guid: String) -> Bool {
        let last = waiting.last { $0.message.guid == guid }
        return shadowsRealClient && held(guid)?.deleted == false && last?.message.action == .delete
            && last?.stage == .waiting
    }

    func isValid(_ draft: Draft, in model: ModelRules, creating: Bool) -> Bool {
        let given = given(draft.fields, in: model)
        guard model.validator.causes(of: given, creating: creating).isEmpty else { return false }
        return given.allSatisfy { name, value in
            guard case .value(.reference(let guid)) = value,
                case .belongsTo(let relation) = model.field(named: name)?.type
            else { return true }
            return seen(guid).map { $0.model == relation.model && !$0.isDeleted } ?? false
        }
    }

    /// The right to the record and to each named field.
    func isAllowed(
        _ operation: Operation, _ draft: Draft, of ownership: Ownership, _ asker: Asker,
        _ rules: Rules
    ) -> Bool {
        asker.may(operation, .model(draft.model), of: ownership, rules)
            && draft.fields.keys.allSatisfy { field in
                operation == .delete
                    || asker.may(operation, .field(field, of: draft.model), of: ownership, rules)
            }
    }
}

extension Asker {
    func may(
        _ operation: Operation, _ subject: Subject, of record: Ownership, _ rules: Rules
    ) -> Bool {
        rules.policy.decide(
            Question(asker: self, operation: operation, subject: subject, record: record))
            == .allow
    }
}

/// The fields of a change, decoded by the types of the definition.
func given(_ fields: [String: JSONValue], in model: ModelRules) -> [String: GivenValue] {
    Dictionary(
        uniqueKeysWithValues: fields.map { name, json in
            guard json != .null else { return (name, .null) }
            let value = model.field(named: name).flatMap { FieldValue(json, of: $0.type.name) }
            return (name, value.map { .value($0) } ?? .unreadable)
        })
}
