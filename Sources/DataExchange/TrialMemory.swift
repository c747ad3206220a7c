import ChangeRules
import DefinitionModel

/// The records and unique values of the rows that a trial has accepted and not written. It holds
/// their hashes.
struct TrialMemory {
    /// The models of the records that rows would create, by guid.
    private var models: [Int: Int] = [:]
    /// The guids of records that rows would delete.
    private var deleted: Set<Int> = []
    /// The guids of the records that would have unique values, by value.
    private var holders: [Int: Int] = [:]
    /// The unique values that records would have, by guid and field.
    private var held: [Int: Int] = [:]
    /// The unique values that stored records would no longer have.
    private var freed: Set<Int> = []
    /// A user to whom a new record would belong.
    private(set) var owner: String?

    /// Whether an earlier row would have created the record.
    func hasRecord(_ guid: String, of model: String) -> Bool {
        models[hash(of: guid)] == hash(of: model)
    }

    func hasRecord(_ guid: String, ofOtherModelThan model: String) -> Bool {
        models[hash(of: guid)].map { $0 != hash(of: model) } ?? false
    }

    func hasDeleted(_ guid: String) -> Bool { deleted.contains(hash(of: guid)) }

    /// Whether an import would not report the cause, because an earlier row has removed it.
    /// - Parameter isUpdate: Whether the change stands for an update of a record that it only
    ///   creates because a trial writes none.
    func resolves(_ cause: Cause, of change: Change, isUpdate: Bool, in model: Model) -> Bool {
        if case .notFound(let guid, let target) = cause.reason {
            return hasRecord(guid, of: target)
        }
        guard let name = cause.field, let field = model.fields.first(where: { $0.name == name })
        else { return false }
        if case .empty = cause.reason { return isUpdate && change.fields[name] == nil }
        guard case .notUnique = cause.reason,
            let value = value(change.fields[name], of: field, in: model), freed.contains(value)
        else { return false }
        let own = hash(of: change.guid)
        return holders[value] ?? own == own
    }

    /// Adds a change. Returns a cause if an earlier row makes it impossible.
    /// - Parameters:
    ///   - owner: The user to whom a new record would belong.
    ///   - record: The stored record.
    mutating func accept(
        _ change: Change, by owner: String?, to record: RecordView?, of model: Model
    ) -> Cause? {
        let own = hash(of: change.guid)
        let unique = model.fields.filter(\.isUnique)
        if let cause = danglingRelation(of: change, in: model) { return cause }
        for field in unique {
            guard let value = value(change.fields[field.name], of: field, in: model) else {
                continue
            }
            if holders[value] ?? own != own { return Cause(.notUnique, field: field.name) }
        }
        for field in unique where change.action == .delete || change.fields[field.name] != nil {
            let value = value(change.fields[field.name], of: field, in: model)
            give(value, of: field, in: model, to: change.guid, replacing: record)
        }
        switch change.action {
        case .create:
            models[own] = hash(of: model.name)
            self.owner = owner ?? self.owner
        case .delete:
            models[own] = nil
            deleted.insert(own)
        case .update, .resolve, .restore: break
        }
        return nil
    }

    private mutating func give(
        _ value: Int?, of field: Field, in model: Model, to guid: String,
        replacing record: RecordView?
    ) {
        let (own, place) = (hash(of: guid), hash(of: model.name, field.name, guid))
        if let former = held[place] {
            if holders[former] == own { holders[former] = nil }
        } else if let json = record?.fields?[field.name],
            let former = FieldValue(json, of: field.type.name),
            let stored = self.value(.value(former), of: field, in: model)
        {
            freed.insert(stored)
        }
        held[place] = value
        if let value { holders[value] = own }
    }

    private func danglingRelation(of change: Change, in model: Model) -> Cause? {
        for field in model.fields {
            guard case .belongsTo(let relation) = field.type,
                case .value(.reference(let guid))? = change.fields[field.name], hasDeleted(guid)
            else { continue }
            return Cause(.notFound(guid: guid, model: relation.model), field: field.name)
        }
        return nil
    }

    /// Nil for null, and for what cannot be unique.
    private func value(_ given: GivenValue?, of field: Field, in model: Model) -> Int? {
        guard case .value(let value)? = given, let text = value.canonicalText else { return nil }
        return hash(of: model.name, field.name, text)
    }

    private func hash(of parts: String...) -> Int {
        var hasher = Hasher()
        for part in parts { hasher.combine(ByteKey(part)) }
        return hasher.finalize()
    }
}
