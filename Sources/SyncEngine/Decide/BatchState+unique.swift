import ChangeRules
import DefinitionModel
import JSON

extension BatchState {
    /// The record's values of unique fields. A tombstone has none.
    func uniqueValues(of record: WorkingRecord?) -> [UniqueValue] {
        guard let record, !record.stored.isDeleted,
            let model = rules.model(named: record.stored.model), model.hasUniqueFields
        else { return [] }
        return model.model.uniqueValues(in: record.fields)
    }

    /// Returns the causes for changes that set a unique value of another record, by change id.
    mutating func clashes() -> [String: [Cause]] {
        guard !claims.isEmpty else { return [:] }
        var causes: [String: [Cause]] = [:]
        let single = Dictionary(grouping: outcomes, by: \.guid).filter { $0.value.count == 1 }.keys
        for claim in claims.clashes(with: facts.holders, single: Set(single)) {
            if let holder = facts.holders[claim.value], isHidden(holder) {
                noteHiddenClash(of: claim.changeID)
            }
            let field = rules.model(named: claim.value.model)?.field(named: claim.value.field)
            causes[claim.changeID, default: []].append(
                Cause(
                    .notUnique, field: claim.value.field, place: field?.place(ofOption: "unique"))
            )
        }
        return causes
    }
}
