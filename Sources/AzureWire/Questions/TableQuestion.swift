import ChangeRules
import DefinitionModel
import JSON
import RecordSearch

/// A question for rows, as a client states it in a URL.
struct TableQuestion: Hashable, Sendable {
    var filter: QuestionExpression?
    var order: [SortColumn] = []
    /// In lower case; nil for all columns.
    var columns: Set<String>?
    var skip = 0
    var top: Int?
    var counts = false
    var includesDeleted = false
    /// The system properties that were asked for.
    var properties: Set<SystemProperty> = []
    /// The time of the last change after which a page of a pull begins, set by a link of ours.
    var after: Int64?
    /// The number of all rows, which the first page of a pull told and our link carries.
    var total: Int?

    struct SortColumn: Hashable, Sendable {
        let name: String
        let descends: Bool
    }

    static let maxRows = 1000
    /// The parameter of our links to further pages of a pull.
    static let afterName = "waggleafter"
    static let totalName = "waggletotal"

    init(_ parameters: URLParameters, _ dialect: ClientGeneration) throws(QuestionFault) {
        for pair in parameters.pairs {
            let name = pair.name.lowercased()
            switch name {
            case "$filter" where !pair.value.allSatisfy({ $0 == " " }):
                filter = try QuestionParser.expression(of: pair.value)
            case "$filter": break
            case "$orderby": order = try keys(pair.value)
            case "$select":
                columns = Set(
                    list(pair.value).map { $0.lowercased() }
                ).subtracting(["*"])
                if columns?.isEmpty == true { columns = nil }
            case "$skip": skip = try number(pair.value, name)
            case "$top": top = try number(pair.value, name)
            case "$inlinecount": counts = try flag(pair.value, "allpages", "none", name)
            case "$count": counts = try flag(pair.value, "true", "false", name)
            case "__includedeleted":
                includesDeleted = try flag(pair.value, "true", "false", name)
            case "__systemproperties": properties = try systemProperties(pair.value)
            case Self.afterName: after = Int64(pair.value)
            case Self.totalName: total = Int(pair.value)
            case _ where name.hasPrefix("$") || name.hasPrefix("__"):
                throw QuestionFault("The parameter '\(pair.name)' is unknown.")
            case _: break
            }
        }
        if let top, top > Self.maxRows {
            guard dialect == .datasync else {
                throw QuestionFault("'$top' is more than \(Self.maxRows).")
            }
            self.top = Self.maxRows
        }
        properties.formUnion(dialect.standardProperties)
    }
}

private func list(_ text: String) -> [String] {
    text.split(separator: ",").map { String($0.trimmingBlanks()) }.filter { !$0.isEmpty }
}

private func keys(_ text: String) throws(QuestionFault) -> [TableQuestion.SortColumn] {
    var keys: [TableQuestion.SortColumn] = []
    for part in list(text) {
        let words = part.split(separator: " ").map(String.init)
        guard let name = words.first, words.count <= 2,
            words.count == 1 || ["asc", "desc"].contains(words[1])
        else { throw QuestionFault("'$orderby' takes columns, each with 'asc' or 'desc'.") }
        keys.append(TableQuestion.SortColumn(name: name, descends: words.last == "desc"))
    }
    return keys
}

private func number(_ text: String, _ name: String) throws(QuestionFault) -> Int {
    guard let number = Int(text), number >= 0 else {
        throw QuestionFault("'\(name)' takes a number from 0.")
    }
    return number
}

private func flag(
    _ text: String, _ yes: String, _ no: String, _ name: String
) throws(QuestionFault) -> Bool {
    guard [yes, no].contains(text.lowercased()) else {
        throw QuestionFault("'\(name)' takes '\(yes)' or '\(no)'.")
    }
    return text.lowercased() == yes
}

private func systemProperties(_ text: String) throws(QuestionFault) -> Set<SystemProperty> {
    var properties: Set<SystemProperty> = []
    for name in list(text) {
        if name == "*" { return Set(SystemProperty.allCases) }
        guard let property = SystemProperty(written: name) else {
            throw QuestionFault("The system property '\(name)' is unknown.")
        }
        properties.insert(property)
    }
    return properties
}

extension Substring {
    func trimmingBlanks() -> Substring {
        let rest = drop { $0 == " " }
        let end = rest.lastIndex { $0 != " " }
        return end.map { rest[...$0] } ?? rest.prefix(0)
    }
}

// MARK: - Pulls

extension TableQuestion {
    /// Whether it is a step of an incremental pull: in the order of changes, from a bound on or
    /// with deleted rows. Such a step never counts positions, since rows move to the end meanwhile.
    var isPull: Bool {
        guard order.count == 1, let key = order.first, !key.descends,
            SystemProperty(written: key.name) == .updatedAt
        else { return false }
        return includesDeleted || after != nil || changeBound != nil
    }

    /// Whether it is a step of a pull after the first: the client holds what it was told before.
    /// The earliest times that clients ask from are before any change.
    private var isLaterStep: Bool {
        isPull && includesDeleted && max(after ?? 0, changeBound?.milliseconds ?? 0) > 0
    }

    private var changeBound: (comparison: QueryFilter.Comparison, milliseconds: Int64)? {
        filter?.conjuncts.lazy.compactMap(\.changeBound).first
    }

    /// The question that its client means. A step of a pull skips rows at its bound only, of which
    /// there is at most one; and some clients lose the parameter for deleted rows on the way.
    func meant(by client: ClientTraits) -> TableQuestion {
        guard isPull else { return self }
        var meant = self
        // The link has the number of all that the first page told.
        if after != nil { meant.counts = false }
        guard let bound = changeBound else { return meant }
        if client.isOffline, bound.comparison == .ge { meant.includesDeleted = true }
        if skip > 0, bound.comparison == .ge {
            meant.skip = 0
            meant.after = max(bound.milliseconds, after ?? .min)
        }
        return meant
    }
}

extension TableQuestion {
    /// The find for the question, without rows to skip. Its cursors serve the same question only,
    /// so they need no text of the filter.
    func find(
        in table: Table, through translation: FilterTranslation
    ) throws(QuestionFault)
        -> FindQuery
    {
        var filters: [QueryFilter] = []
        if let after {
            filters.append(
                .compare(.gt, operand: "$changedAt", with: .value(.integer(after))))
        }
        // A deleted record in conflict is a deleted row.
        if !includesDeleted {
            filters.append(.compare(.eq, operand: "$deleted", with: .value(.boolean(false))))
        }
        if let filter {
            let part = try translation.filter(filter)
            if case .and(let parts) = part { filters += parts } else { filters.append(part) }
        }
        var sort: [FindQuery.SortKey] = []
        for key in order {
            sort.append(
                FindQuery.SortKey(
                    try table.operand(named: key.name).name, descends: key.descends,
                    beginsWithNull: true, isByLetters: true))
        }
        var query = FindQuery(
            filter: .and(filters),
            sort: isPull
                ? [FindQuery.SortKey("$changedAt")]
                : sort.isEmpty ? [FindQuery.SortKey("$createdAt")] : sort,
            counts: counts)
        query.includesDeleted = includesDeleted
        query.includesNames = true
        query.isPull = isLaterStep
        if let columns {
            query.fields = table.model.fields.filter {
                columns.contains($0.foreignName.lowercased())
            }.map(\.name)
        }
        return query
    }
}
