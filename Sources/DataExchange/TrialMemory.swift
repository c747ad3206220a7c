import ChangeRules
import DefinitionModel

/// The records and unique values of the rows that a trial has accepted and not written. It holds
/// their hashes.
struct TrialMemory {
    private var records: Set<Int> = []
    private var values: Set<Int> = []

    /// Whether a record of an earlier row is what the cause misses.
    func resolves(_ cause: Cause) -> Bool {
        guard case .notFound(let guid, let model) = cause.reason else { return false }
        return records.contains(hash(of: model, guid))
    }

    /// Adds a change. Returns a cause if an earlier row has one of its unique values.
    mutating func accept(_ change: Change, of model: Model) -> Cause? {
        for field in model.fields where field.isUnique {
            guard case .value(let value) = change.fields[field.name],
                let text = value.canonicalText
            else { continue }
            guard values.insert(hash(of: model.name, field.name, text)).inserted else {
                return Cause(.notUnique, field: field.name)
            }
        }
        records.insert(hash(of: model.name, change.guid))
        return nil
    }

    private func hash(of parts: String...) -> Int {
        var hasher = Hasher()
        for part in parts { hasher.combine(ByteKey(part)) }
        return hasher.finalize()
    }
}
