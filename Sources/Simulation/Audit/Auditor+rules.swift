import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import SyncProtocol

extension Auditor {
    /// The author of a change must have had the right to it, even if it did not take effect.
    func checkRights(
        _ settled: SettledChange, _ entry: TimelineEntry, _ record: AuditedRecord, _ asker: Asker,
        _ model: ModelRules
    ) throws(InvariantViolation) {
        let message = settled.message
        let ownership = record.stored.ownership
        let (operations, fields): ([Operation], [String]) =
            switch message.action {
            case .create: ([.create], message.fieldsThatNeedRights(in: model))
            case .update: ([.update], entry.fieldsOfAuthor(in: message))
            case .delete: ([.delete], [])
            case .resolve: ([.update, .resolve], entry.fields.keys.sorted())
            }
        for operation in operations
        where !asker.may(operation, .model(message.model), of: ownership, rules) {
            throw settled.violation(.rightsAreKept, "needs the right to \(operation) it")
        }
        for field in fields
        where !asker.may(operations[0], .field(field, of: message.model), of: ownership, rules) {
            throw settled.violation(
                .rightsAreKept, "needs the right to \(operations[0]) its '\(field)'")
        }
    }

    /// Changes that did not take effect are within the limits too, because a resolution may choose
    /// them. Relations are checked if they are new. An earlier app need not give what it does not
    /// know; the end of the history tells whether it was filled in.
    func checkLimits(
        _ settled: SettledChange, _ entry: TimelineEntry, _ model: ModelRules
    ) throws(InvariantViolation) {
        let isCreation = settled.message.action == .create
        let given = given(settled.message.fields, in: model)
        let causes = model.validator.causes(of: given, creating: isCreation).filter {
            !isCreation || !mayLeaveOpen($0.field, of: model)
        }
        guard settled.message.action == .delete || causes.isEmpty else {
            throw settled.violation(.limitsAreKept, "has an illegal '\(causes[0].field ?? "")'")
        }
        guard entry.tookEffect else { return }
        for (name, value) in given where isCreation || entry.fields[name] != nil {
            guard case .value(.reference(let guid)) = value,
                case .belongsTo(let relation) = model.field(named: name)?.type
            else { continue }
            let target = records[guid]?.stored
            guard let target, target.model == relation.model, !target.isDeleted else {
                throw settled.violation(.limitsAreKept, "has a '\(name)' that is not there")
            }
        }
    }

    /// Whether the app of the audited device does not know that a field is required.
    func mayLeaveOpen(_ field: String?, of model: ModelRules) -> Bool {
        guard let app, let field, model.field(named: field)?.isRequired ?? false else {
            return false
        }
        return !(app.field(field, of: model.model.name)?.isRequired ?? false)
    }

    /// No two undeleted records have the same value in a unique field.
    func checkUniqueValues(of written: [String]) throws(InvariantViolation) {
        for record in written.compactMap({ records[$0] }) {
            guard let model = rules.model(named: record.stored.model), model.hasUniqueFields else {
                continue
            }
            for field in model.model.fields where field.isUnique {
                let others = records.values.filter { record.shares(field, with: $0) }
                guard others.isEmpty else {
                    throw InvariantViolation(
                        .limitsAreKept,
                        "\(record.summary) and \(others[0].summary) have the same '\(field.name)'"
                    )
                }
            }
        }
    }
}

extension TimelineEntry {
    /// Without those that a returning record got from a deployment.
    fileprivate func fieldsOfAuthor(in message: ChangeMessage) -> [String] {
        fields.filter { name, replaced in
            message.fields[name] != nil || !written.wasDeleted || replaced != .null
        }.keys.sorted()
    }
}

extension AuditedRecord {
    fileprivate func shares(_ field: Field, with other: AuditedRecord) -> Bool {
        guard let value = fields[field.name], !stored.isDeleted, !other.stored.isDeleted else {
            return false
        }
        return stored.guid != other.stored.guid && stored.model == other.stored.model
            && value == other.fields[field.name]
    }
}

extension ChangeMessage {
    /// All fields but nulls and defaults.
    fileprivate func fieldsThatNeedRights(in model: ModelRules) -> [String] {
        fields.filter { name, value in
            value != .null && value != model.defaults[name].map { JSONValue($0) }
        }.keys.sorted()
    }
}
