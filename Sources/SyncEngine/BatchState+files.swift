import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON

extension BatchState {
    /// Why a change may not set these fields: they would name files that are not its author's to
    /// name. To be asked last, of a change that nothing else is wrong with.
    func fileCauses(
        of change: Change, setting fields: some Sequence<String>
    ) throws(StoreError) -> [Cause] {
        guard change.fields.values.contains(where: \.isFile) else { return [] }
        var causes: [Cause] = []
        for name in fields.sorted() {
            guard case .value(.file(let file)) = change.fields[name],
                try !mayName(file.guid, in: change.guid)
            else { continue }
            causes.append(Cause(.fileNotYours(guid: file.guid), field: name))
        }
        return causes
    }

    /// Whoever names a file in a record of their own is shown it by that record. So its author must
    /// be the file's owner, which whoever names an unknown one becomes, or be shown the file
    /// already, as things were before the batch: then they could have had it anyway.
    private func mayName(_ file: String, in guid: String) throws(StoreError) -> Bool {
        guard let asked = facts.files[file] else { return false }
        guard let known = asked, !known.file.login.hasSameBytes(as: author.asker.login) else {
            return true
        }
        let own = facts.records[guid].map { NamingRecord(record: $0, conflicts: []) }
        return try Gate(rules: rules, asker: author.asker)
            .shows(file, inAnyOf: (own.map { [$0] } ?? []) + known.namedBy)
    }
}
