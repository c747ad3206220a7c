import ChangeRules
import DefinitionModel
import JSON
import SyncEngine

/// A query that was checked against the definition.
struct CheckedQuery: Sendable {
    let model: Model
    let condition: FilterCondition
    let order: SearchOrder
    /// The fields in the answer; nil for all fields of the model.
    let fields: Set<String>?
    /// The maximum number of records in the answer.
    let limit: Int
    /// The approximate maximum size of the values in the answer, in bytes. The record that reaches
    /// it is the last of the page.
    let pageBytes: Int
    /// Whether the answer includes the total number of matches.
    let counts: Bool
    /// Identifies the filter and the sort order. A cursor is valid only for the query with the same
    /// name.
    let name: String

    let includesDeleted: Bool
    /// Whether the opaque ids of records are in the answer.
    let includesNames: Bool
    let keepsText: Bool
    let isPull: Bool
    /// Whether records are read in the order of their creation.
    let walksCreations: Bool
    /// The number of matches to pass over.
    let skip: Int

    /// Whether a store can read the records in this order and stop when the page is full.
    var canWalk: Bool {
        walksCreations
            || !counts && (order.isByChange || order == .byOwnership && !includesDeleted)
    }

    /// Whether the records are read in the order of their changes. Only these reads reach deleted
    /// records.
    var readsChanges: Bool { includesDeleted || order.isByChange }

    /// Whether opaque ids must be read.
    var readsNames: Bool {
        includesNames
            || (condition.operands + order.keys.map(\.operand)).contains { $0.property == .id }
    }
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
                order: try names.order(request, limits: limits),
                fields: try names.fields(request.fields), limit: limit,
                pageBytes: limits.pageBytes, counts: request.counts,
                name: stableName(
                    of: request.sort.map(\.stableText)
                        + [request.filterText] + (request.includesDeleted ? ["deleted"] : [])
                        + (request.isByCreation ? ["creation"] : [])),
                includesDeleted: request.includesDeleted, includesNames: request.includesNames,
                keepsText: request.keepsText, isPull: request.isPull,
                walksCreations: request.isByCreation && !request.includesDeleted
                    && !request.counts,
                skip: max(0, request.skip))
        } catch {
            throw .find(.query(error))
        }
    }
}

extension CheckedQuery {
    /// Creates a query for one record.
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
                pageBytes: .max, counts: false, name: "", includesDeleted: false,
                includesNames: false, keepsText: false, isPull: false, walksCreations: false,
                skip: 0)
        } catch {
            throw .find(.query(error))
        }
    }
}

extension OperandNames {
    /// Without sort keys, the order is the one in which a store can read.
    fileprivate func order(
        _ request: FindQuery, limits: Limits
    ) throws(QueryFault) -> SearchOrder {
        let sort = request.isByCreation ? [FindQuery.SortKey("$createdAt")] : request.sort
        guard !sort.isEmpty else { return request.includesDeleted ? .byChange : .byOwnership }
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
            keys.append(
                SearchOrder.Key(
                    operand: operand, descends: key.descends, beginsWithNull: key.beginsWithNull,
                    isByLetters: key.isByLetters))
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

extension FindQuery.SortKey {
    /// Cursors of before name orders in the same way.
    fileprivate var stableText: String {
        (descends ? "-" : "") + operand + (beginsWithNull ? " null" : "")
            + (isByLetters ? " letters" : "")
    }
}

/// Returns a 64-bit FNV-1a hash in hex. A caller who constructs a collision gets a page that starts
/// at the wrong position, with records that the caller may see anyway.
private func stableName(of texts: [String]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for text in texts {
        for byte in Array(text.utf8) + [0] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return String(hash, radix: 16)
}
