import ChangeRules
import DefinitionModel
import SyncEngine

/// The manner of an import.
package struct ImportOptions: Hashable, Sendable {
    package var format: RowFormat
    /// The service that exported the rows.
    package var source = RowSource.waggle
    /// The model of all rows; nil if each JSON line names its own.
    package var model: String?
    /// The login of the owner of new records whose rows name none.
    package var owner: String?
    /// A field whose value identifies the record of a row without `$guid` and `$id`.
    package var idField: String?
    /// The name of the import. A repeat under the same name changes nothing, and another file under
    /// it may have rows that are taken for those of the first.
    package var name = ""
    /// The name of the person who imports, as it is shown in the history of records.
    package var operatorName = "import"
    /// Whether the rows are only checked.
    package var isTrial = false
    package var limits = RowLimits()
    /// The group of the users whose profiles the rows are; nil for other rows. A profile that is
    /// there keeps its values: it only gets related records where it has none. Related records
    /// that are not there are left out.
    var profileGroup: String?

    package init(format: RowFormat) { self.format = format }
}

/// The result of an import, in rows.
package struct ImportSummary: Hashable, Sendable {
    package var created = 0
    package var updated = 0
    package var deleted = 0
    /// Rows whose records have the values already.
    package var unchanged = 0
    /// Rows that an import of the same name has imported before, whatever became of their records.
    package var repeated = 0
    /// Rows that were not imported. Each was reported.
    package var refused = 0
    /// The number of rows from which a value of each kind was left out.
    package var leftOut: [LeftOutValue: Int] = [:]
    /// The number of profiles that were made without related records which are not there.
    package var unrelated = 0

    package var rows: Int { created + updated + deleted + unchanged + repeated + refused }
}

extension ImportOptions {
    /// Throws `SyncError.find` if none of the models has the field.
    func checkIDField(in models: [Model]) throws(SyncError) {
        guard let idField else { return }
        guard !models.flatMap(\.fields).contains(where: { $0.name.hasSameBytes(as: idField) })
        else { return }
        let owner = models.count == 1 ? "'\(models[0].name)'" : "the definition"
        throw .find(
            .query(
                QueryFault(
                    .parameterIllegal, at: "idField",
                    "\(owner) has no field '\(idField.shortenedName)' that identifies records",
                    help: "name a field of the rows, as the definition calls it")))
    }
}
