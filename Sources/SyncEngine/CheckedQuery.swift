import ChangeRules
import DefinitionModel
import JSON

/// A query for records, checked against the definition.
struct CheckedQuery: Sendable {
    let model: Model
    let condition: Condition
    let order: SearchOrder
    /// Of the answer; nil for all of the model.
    let fields: Set<String>?
    /// Records in the answer at most.
    let limit: Int
    /// Of values in the answer, about: with the record that reaches it the page ends.
    let pageBytes: Int
    /// Whether it is asked how many match in all.
    let counts: Bool
    /// Names the condition and the order: a cursor is for those that it was made for.
    let name: String

    /// Whether a store can walk in its order, and stop when the page is full.
    var canWalk: Bool { order == .byOwnership && !counts }
}

extension CheckedQuery {
    init(
        _ request: FindQuery, of model: ModelRules, by rules: Rules, within limits: Limits
    ) throws(SyncError) {
        let limit = request.limit ?? limits.defaultPageRecords
        guard (1...limits.pageRecords).contains(limit) else {
            throw .limitOutOfRange(given: limit, max: limits.pageRecords)
        }
        let names = OperandNames(rules: rules, model: model)
        var check = FilterCheck(operands: names, limits: limits)
        do {
            self.init(
                model: model.model,
                condition: try request.filter.map { filter throws(QueryFault) in
                    try check.condition(filter)
                } ?? .all([]),
                order: try names.order(request.sort, limits: limits),
                fields: try names.fields(request.fields), limit: limit,
                pageBytes: limits.pageBytes, counts: request.counts,
                name: stableName(
                    of: request.sort.map { ($0.descends ? "-" : "") + $0.operand }
                        + [request.filterText]))
        } catch {
            throw .find(.query(error))
        }
    }
}

extension CheckedQuery {
    /// Of one record.
    init(
        fields: [String]?, of model: ModelRules, withGuid guid: String, by rules: Rules
    ) throws(SyncError) {
        let names = OperandNames(rules: rules, model: model)
        do {
            self.init(
                model: model.model,
                condition: .compares(
                    Operand(relation: nil, property: .guid), .equal,
                    .value(.reference(guid: guid))),
                order: .byOwnership, fields: try names.fields(fields), limit: 1,
                pageBytes: .max, counts: false, name: "")
        } catch {
            throw .find(.query(error))
        }
    }
}

extension OperandNames {
    /// Nothing to sort by is the order in which a store can walk.
    fileprivate func order(
        _ sort: [FindQuery.SortKey], limits: Limits
    ) throws(QueryFault) -> SearchOrder {
        guard !sort.isEmpty else { return .byOwnership }
        guard sort.count <= limits.sortKeys else {
            throw .tooManyKeys(sort.count, max: limits.sortKeys)
        }
        var keys: [SearchOrder.Key] = []
        for (index, key) in sort.enumerated() {
            let path = "sort[\(index)]"
            let operand = try operand(key.operand, .sortIllegal, at: path)
            guard operand.property.type.kind.canBeSorted else {
                throw .unsortable(key.operand, at: path)
            }
            guard !keys.contains(where: { $0.operand == operand }) else {
                throw .repeatedKey(key.operand, at: path)
            }
            keys.append(SearchOrder.Key(operand: operand, descends: key.descends))
        }
        return SearchOrder(keys: keys)
    }

    fileprivate func fields(_ names: [String]?) throws(QueryFault) -> Set<String>? {
        guard let names else { return nil }
        var fields: Set<String> = []
        for (index, name) in names.enumerated() {
            fields.insert(
                try field(name, of: model, .fieldsIllegal, at: "fields[\(index)]").name)
        }
        return fields
    }
}

/// 64 bits (FNV-1a) in hex. Two questions with one name can be made up, which gives whoever does
/// it a page that begins at a wrong place, of records that they may see anyway.
private func stableName(of texts: [String]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for text in texts {
        for byte in Array(text.utf8) + [0] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return String(hash, radix: 16)
}
