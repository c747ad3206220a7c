import ChangeRules
import DefinitionModel
import JSON

extension ReadFilter {
    /// Whether one of the records shows the asker a file, in a field or in an open conflict.
    func shows(
        _ guid: String, inAnyOf records: [NamingRecord]
    ) throws(StoreError) -> Bool {
        for naming in records where try shows(guid, in: naming) { return true }
        return false
    }

    private func shows(_ guid: String, in naming: NamingRecord) throws(StoreError) -> Bool {
        guard let model = rules.model(named: naming.record.model),
            let view = try view(for: naming.record, conflicts: naming.conflicts)
        else { return false }
        let sides = (view.conflicts ?? []).flatMap { [$0.base, $0.mine, $0.theirs] }
        return ([view.fields ?? [:]] + sides.map(\.fields)).contains { fields in
            LinkTargets(of: model, in: fields).files.contains(guid)
        }
    }
}
