import ChangeRules
import DefinitionModel
import GRDB
import JSON
import Secrets
import SyncProtocol

// MARK: - Edits by the app

extension DeviceStore {
    /// Stores a new record, or the changed fields of an existing one.
    func save(_ values: RecordValues, by rules: LocalRules, _ db: GRDB.Database) throws {
        guard let (edit, target) = try edit(saving: values, by: rules, db) else { return }
        try carryOut(edit, on: target, rules, db)
    }

    /// Throws the reasons why these values cannot be saved. Writes nothing.
    func check(_ values: RecordValues, by rules: LocalRules, _ db: GRDB.Database) throws {
        guard let (edit, target) = try edit(saving: values, by: rules, db) else { return }
        guard queued(edit, after: target.last) != .tooLate else {
            throw DatabaseError.removed(guid: values.guid)
        }
    }

    /// The permitted edit that saving these values amounts to; nil if no field differs.
    private func edit(
        saving values: RecordValues, by rules: LocalRules, _ db: GRDB.Database
    ) throws -> (LocalEdit, EditTarget)? {
        let target = try target(values.guid, model: values.model, rules, db)
        guard let record = target.record else {
            return (try creation(values, of: target, rules, db), target)
        }
        guard let shown = record.shown else {
            return (try replacement(values, of: record, target, rules, db), target)
        }
        let changed = rules.differences(of: values.fields, from: shown, in: record)
        guard !changed.isEmpty else { return nil }
        try refuse(
            rules.causes(updating: record, of: target.model, with: changed)
                + causes(of: changed, in: target, rules, db))
        return (.update(changed), target)
    }

    private func creation(
        _ values: RecordValues, of target: EditTarget, _ rules: LocalRules, _ db: GRDB.Database
    ) throws -> LocalEdit {
        let defaults = rules.defaults(of: values.model)
        let fields = values.fields.filter { $0.value != .null || defaults[$0.key] != nil }
        try refuse(
            rules.causes(creating: values.guid, of: target.model, with: fields)
                + causes(of: fields, in: target, rules, db))
        return .create(fields)
    }

    /// The edit that restores a record removed on this device.
    private func replacement(
        _ values: RecordValues, of record: LocalRecord, _ target: EditTarget, _ rules: LocalRules,
        _ db: GRDB.Database
    ) throws -> LocalEdit {
        guard !record.isDeleted else { throw DatabaseError.removed(guid: values.guid) }
        let changed = rules.differences(
            of: values.fields, from: target.beneath ?? [:], in: record)
        try refuse(
            rules.causes(updating: record, of: target.model, with: changed)
                + causes(of: changed, in: target, rules, db))
        return .replace(changed)
    }

    func remove(
        _ guid: String, model: String, by rules: LocalRules, _ db: GRDB.Database
    ) throws {
        let target = try target(guid, model: model, rules, db)
        guard let record = target.record, record.shown != nil else {
            throw DatabaseError.recordUnknown(guid: guid)
        }
        try refuse(rules.causes(removing: record, of: target.model))
        try carryOut(.remove, on: target, rules, db)
    }

    /// Closes the conflicts of a record with these values.
    func resolve(_ values: RecordValues, by rules: LocalRules, _ db: GRDB.Database) throws {
        let target = try target(values.guid, model: values.model, rules, db)
        guard let record = target.record else {
            throw DatabaseError.recordUnknown(guid: values.guid)
        }
        // The resolution overrules waiting changes, so it names their fields as well.
        let waiting = try changes(of: values.guid, db).filter(\.state.isPending)
        let named = Set(waiting.flatMap(\.fields.keys))
        let differing = rules.differences(of: values.fields, from: record.server ?? [:], in: record)
        var fields = values.fields.filter {
            named.contains($0.key) || differing[$0.key] != nil
        }
        if fields.isEmpty, record.isDeleted {
            fields = try restoring(record, of: target.model, with: values.fields, rules, db)
        }
        try resolve(target, with: fields, by: rules, db)
    }

    /// The fields that restore a removed record whose values stay. One is enough: the first that
    /// the user may update, and that names no record that is not here. All of them if there is
    /// none, so that the refusal has every reason.
    func restoring(
        _ record: LocalRecord, of model: Model, with fields: [String: JSONValue],
        _ rules: LocalRules, _ db: GRDB.Database
    ) throws -> [String: JSONValue] {
        let one = try fields.sorted { $0.key < $1.key }.first { name, value in
            try rules.causes(updating: record, of: model, with: [name: value]).isEmpty
                && rules.relations(among: [name: value], of: model)
                    .allSatisfy { try isThere($0.guid, of: $0.model, db) }
        }
        return one.map { [$0.key: $0.value] } ?? fields
    }

    /// Closes the conflicts of a record and removes it.
    func resolve(
        removing guid: String, model: String, by rules: LocalRules, _ db: GRDB.Database
    ) throws {
        let target = try target(guid, model: model, rules, db)
        try resolve(target, with: [:], by: rules, db)
        guard try record(guid, db)?.shown != nil else { return }
        try remove(guid, model: model, by: rules, db)
    }

    private func resolve(
        _ target: EditTarget, with fields: [String: JSONValue], by rules: LocalRules,
        _ db: GRDB.Database
    ) throws {
        guard let record = target.record else {
            throw DatabaseError.recordUnknown(guid: target.guid)
        }
        try refuse(
            rules.causes(resolving: record, of: target.model, with: fields)
                + causes(of: fields, in: target, rules, db))
        try carryOut(.resolve(fields), on: target, rules, db)
    }
}

/// A record to be edited, with the changes that wait for it.
private struct EditTarget {
    let guid: String
    let model: Model
    let record: LocalRecord?
    let last: LocalChange?
    /// The fields that the app would see without the last change.
    let beneath: [String: JSONValue]?
}

extension DeviceStore {
    private func target(
        _ guid: String, model name: String, _ rules: LocalRules, _ db: GRDB.Database
    ) throws -> EditTarget {
        guard let model = rules.model(named: name) else {
            throw DatabaseError.refused([Refusal(Cause(.unknownModel(name)))])
        }
        let record = try record(guid, db)
        guard record.map({ $0.model == name }) ?? true else {
            throw DatabaseError.refused([Refusal(Cause(.change(.guidTaken)))])
        }
        let changes = try changes(of: guid, db)
        let last = changes.last { $0.state.isPending }
        let others = changes.filter { $0.number != last?.number }
        let beneath = record?.showing(others, start: rules.startingFields(of: name))
        return EditTarget(
            guid: guid, model: model, record: record, last: last, beneath: beneath?.shown)
    }

    private func refuse(_ causes: [Cause]) throws {
        guard causes.isEmpty else { throw DatabaseError.refused(causes.map { Refusal($0) }) }
    }

    /// The rules between records that these values break: relations and unique fields.
    private func causes(
        of fields: [String: JSONValue], in target: EditTarget, _ rules: LocalRules,
        _ db: GRDB.Database
    ) throws -> [Cause] {
        var causes: [Cause] = []
        for (field, model, guid) in rules.checkableRelations(among: fields, of: target.model)
        where try !isThere(guid, of: model, db) {
            causes.append(Cause(.notFound(guid: guid, model: model), field: field.name))
        }
        for (field, value) in rules.uniqueFields(among: fields, of: target.model) {
            let other = try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM records
                        WHERE model = ? AND shown IS NOT NULL AND guid <> ?
                            AND \(jsonValue(of: field.name)) = ?)
                    """,
                arguments: [target.model.name, target.guid, value.databaseValue])
            if other == true { causes.append(Cause(.notUnique, field: field.name)) }
        }
        return causes
    }

    private func isThere(
        _ guid: String, of model: String, _ db: GRDB.Database
    ) throws -> Bool {
        guard let record = try record(guid, db) else { return false }
        return record.model == model && record.shown != nil
    }

    private func carryOut(
        _ edit: LocalEdit, on target: EditTarget, _ rules: LocalRules, _ db: GRDB.Database
    ) throws {
        let record = target.record
        switch queued(edit, after: target.last) {
        case .append(let action, let fields):
            let follows = target.last != nil || action == .create
            try append(
                LocalChange(
                    number: 0, id: freshGuid(), action: action, model: target.model.name,
                    guid: target.guid, base: follows ? nil : record?.revision, fields: fields,
                    before: action == .create ? nil : record?.shown ?? record?.server),
                db)
        case .become(let action, let fields):
            guard var change = target.last else { return }
            // A resolution is made with knowledge of the record's latest revision.
            if action == .resolve { change.base = record?.revision }
            change.action = action
            change.fields = fields
            try replace(change, db)
        case .takeBack:
            if let last = target.last { try removeChange(last.number, db) }
        case .nothing: return
        case .tooLate: throw DatabaseError.removed(guid: target.guid)
        }
        let fresh = record.flatMap { $0.server == nil ? nil : $0 }
        try show(fresh, guid: target.guid, by: rules, db)
    }
}
