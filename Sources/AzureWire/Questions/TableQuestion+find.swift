import ChangeRules
import DefinitionModel
import JSON
import RecordSearch

extension TableQuestion {
    /// The find for the question, without rows to skip. Its cursors serve the same question only,
    /// so they need no text of the filter.
    func find(
        in table: Table, through translation: FilterTranslation
    ) throws(QuestionFault)
        -> FindQuery
    {
        try check(in: table)
        var filters = ownFilters
        if let filter {
            let part = try translation.filter(filter)
            if case .and(let parts) = part { filters += parts } else { filters.append(part) }
        }
        let sort = try sortKeys(in: table)
        var query = FindQuery(
            filter: .and(filters),
            sort: isPull || isInOrderOfChanges ? [FindQuery.SortKey("$changedAt")] : sort,
            counts: counts)
        query.isByCreation = query.sort.isEmpty
        query.includesDeleted = includesDeleted
        query.includesNames = true
        query.isPull = isLaterStep
        if let columns {
            query.fields = table.model.fields.filter {
                columns.contains($0.foreignName.lowercased())
            }.map(\.name)
        } else if table.hidesFields {
            query.fields = table.model.fields.map(\.name)
        }
        return query
    }

    /// A column that comes again decides nothing.
    private func sortKeys(in table: Table) throws(QuestionFault) -> [FindQuery.SortKey] {
        var keys: [FindQuery.SortKey] = []
        for column in order {
            let operand = try table.sortOperand(named: column.name)
            guard !keys.contains(where: { $0.operand == operand.name }) else { continue }
            keys.append(
                FindQuery.SortKey(
                    operand.name, descends: column.descends, beginsWithNull: true,
                    isByLetters: true))
        }
        return keys
    }

    /// The conditions beside the filter of the client.
    private var ownFilters: [QueryFilter] {
        var filters: [QueryFilter] = []
        for (comparison, time) in [(QueryFilter.Comparison.gt, after), (.le, until)] {
            guard let time else { continue }
            filters.append(
                .compare(comparison, operand: "$changedAt", with: .value(.integer(time))))
        }
        // A deleted record in conflict is a deleted row.
        if !includesDeleted {
            filters.append(.compare(.eq, operand: "$deleted", with: .value(.boolean(false))))
        }
        return filters
    }
}

extension FindQuery {
    /// The same rows owner by owner, in the order of creation for each: for a list of more rows
    /// than can be sorted. Nil for other orders and for lists with deleted rows, which could only
    /// be read in the order of changes: a row that changes between two pages would move to the end,
    /// and the next one be passed over.
    var byOwner: FindQuery? {
        guard isByCreation, !counts, !includesDeleted else { return nil }
        var query = self
        query.isByCreation = false
        return query
    }
}
