import ChangeRules
import DefinitionModel
import ForeignValues
import JSON

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
    /// The time of the last change that this pull tells, set by a link of ours.
    var until: Int64?
    private let dialect: ClientGeneration
    /// Whether the client says that it is a request of its offline queue or of a pull.
    private var isOffline = false

    struct SortColumn: Hashable, Sendable {
        let name: String
        let descends: Bool
    }

    static let maxRows = 1000
    /// The parameters of our links to further pages of a pull.
    static let linkNames = [afterName, totalName, untilName]
    static let afterName = "waggleafter"
    static let totalName = "waggletotal"
    static let untilName = "waggleuntil"

    init(_ parameters: URLParameters, _ dialect: ClientGeneration) throws(QuestionFault) {
        self.dialect = dialect
        for pair in parameters.pairs {
            let name = pair.name.lowercased()
            switch name {
            case "$filter" where !pair.value.allSatisfy({ $0 == " " }):
                filter = try QuestionParser.expression(of: pair.value)
            case "$filter": break
            case "$orderby": order = try keys(pair.value)
            case "$select":
                let names = Set(list(pair.value).map { $0.lowercased() })
                columns = names.isEmpty || names.contains("*") ? nil : names
            case "$skip": skip = try number(pair.value, name)
            case "$top": top = try number(pair.value, name)
            case "$inlinecount": counts = try flag(pair.value, "allpages", "none", name)
            case "$count": counts = try flag(pair.value, "true", "false", name)
            case "__includedeleted":
                includesDeleted = try flag(pair.value, "true", "false", name)
            case "__systemproperties": properties = try systemProperties(pair.value)
            case Self.afterName: after = Int64(pair.value)
            case Self.totalName: total = Int(pair.value)
            case Self.untilName: until = Int64(pair.value)
            case _ where name.hasPrefix("$") || name.hasPrefix("__"):
                throw QuestionFault("The parameter '\(pair.name)' is unknown.")
            case _: break
            }
        }
        // The third generation follows links to the rest.
        if dialect != .datasync, let top, top > Self.maxRows {
            throw QuestionFault("'$top' is more than \(Self.maxRows).")
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
    /// Whether the rows are in the order of their changes.
    var isInOrderOfChanges: Bool {
        guard order.count == 1, let key = order.first, !key.descends else { return false }
        return dialect.property(named: key.name) == .updatedAt
    }

    /// Whether it is a step of an incremental pull: in the order of changes with deleted rows, or
    /// from a bound on by a client that says so. Any other list of the first two generations may
    /// begin at a time too, and continues by positions.
    ///
    /// In the third generation, every list in that order is one: its first pull has neither bound
    /// nor deleted rows. Its earliest clients ask from a bound on without an order.
    var isPull: Bool {
        guard !order.isEmpty else { return dialect == .datasync && changeBound != nil }
        guard isInOrderOfChanges else { return false }
        return dialect == .datasync || includesDeleted || after != nil
            || isOffline && changeBound != nil
    }

    /// The rows of a page if the client names no number. Clients of the third generation name none
    /// in a pull, and follow links to its end: pages of a thousand take a quarter of the time. The
    /// first page of a fresh client is small, because its rows come again if they look different.
    var standardRows: Int {
        dialect == .datasync && isPull && hasTime ? Self.maxRows : dialect.standardRows
    }

    /// Throws for a column to select that the table does not have.
    func check(in table: Table) throws(QuestionFault) {
        for name in (columns ?? []).sorted()
        where !table.hasColumn(named: name) && SystemProperty(written: name) == nil {
            throw QuestionFault("The table '\(table.name)' has no column '\(name)'.")
        }
    }

    /// Whether it is a step of a pull after the first: the client holds what it was told before.
    /// The earliest times that clients ask from are before any change.
    var isLaterStep: Bool {
        isPull && includesDeleted && hasTime
    }

    private var hasTime: Bool { max(after ?? 0, changeBound?.milliseconds ?? 0) > 0 }

    /// Whether the pages of this pull must end with what had changed when it began. The client is
    /// not told of deletions, and asks next for what changed after the last row: it would never
    /// hear that a row of an early page was deleted before the last row changed. Such a client asks
    /// for the number of rows, unlike one that lists rows in this order.
    var needsEnd: Bool {
        dialect == .datasync && isPull && !includesDeleted && counts && after == nil
    }

    /// The latest of several: clients join theirs to a filter that may have one too.
    private var changeBound: (comparison: QueryFilter.Comparison, milliseconds: Int64)? {
        filter?.conjuncts.compactMap { $0.changeBound(dialect) }.max {
            ($0.milliseconds, $0.comparison == .gt ? 1 : 0)
                < ($1.milliseconds, $1.comparison == .gt ? 1 : 0)
        }
    }

    /// The question that its client means. A step of a pull by positions skips rows at its bound
    /// only, of which there is at most one: a client that skips more lists rows, or loses the
    /// milliseconds of its bound. Some clients lose the parameter for deleted rows on the way.
    func meant(by client: ClientTraits) -> TableQuestion {
        var meant = self
        meant.isOffline = client.isOffline
        guard meant.isPull else { return meant }
        // The link has the number of all that the first page told.
        if after != nil { meant.counts = false }
        guard let bound = changeBound else { return meant }
        if client.isOffline, bound.comparison == .ge { meant.includesDeleted = true }
        // The third generation follows links, so that its positions are those of lists.
        if dialect != .datasync, skip == 1, bound.comparison == .ge {
            meant.skip = 0
            meant.after = max(bound.milliseconds, after ?? .min)
        }
        return meant
    }
}
