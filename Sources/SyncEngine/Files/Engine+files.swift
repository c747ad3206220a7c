import AccessPolicy
import DefinitionModel

extension Engine {
    /// Whether the caller may see a file: a file that no record names is visible to its owner, any
    /// other to everyone who sees a record's field with its guid. Operators see every file.
    package func isShown(_ known: KnownFile, to caller: Caller) throws(SyncError) -> Bool {
        if caller.asker.role.isOperator { return true }
        let file = known.file
        if !file.isNamed { return file.login.hasSameBytes(as: caller.asker.login) }
        let filter = ReadFilter(rules: rules, asker: caller.asker)
        do {
            return try filter.shows(file.guid, inAnyOf: known.namedBy)
        } catch {
            throw .store(error)
        }
    }
}
