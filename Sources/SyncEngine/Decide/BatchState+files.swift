import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON

extension BatchState {
    /// Returns a cause for each field that names a file which the author may not name. Call it
    /// last, for a change that has no other cause.
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

    /// Whether the author may name the file.
    ///
    /// A record shows its files to everyone who can read it, so naming a file in an own record
    /// would give access to that file. The author must therefore own the file or have seen it
    /// before the batch. An unknown file is allowed: the first user who names it becomes its owner.
    private func mayName(_ file: String, in guid: String) throws(StoreError) -> Bool {
        guard let asked = facts.files[file] else { return false }
        guard let known = asked, !known.file.login.hasSameBytes(as: author.asker.login) else {
            return true
        }
        let own = facts.records[guid].map { NamingRecord(record: $0, conflicts: []) }
        return try ReadFilter(rules: rules, asker: author.asker)
            .shows(file, inAnyOf: (own.map { [$0] } ?? []) + known.namedBy)
    }
}
