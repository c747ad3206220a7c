import ChangeRules
import DefinitionModel
import JSON
import SyncEngine

/// The position after which the next page of a query begins. It is sealed like the cursor of a
/// pull, because it contains a sequence. It is valid only for the same query under the same rights.
struct FindCursor: Codable, Hashable {
    let rights: Rights
    let model: String
    let query: String
    /// The sort keys of the last record on the previous page.
    let keys: [JSONValue]
    /// The creation key of that record; nil in cursors from before creation was part of the order.
    let created: Int64?
    let last: String

    init(after position: Position, of query: CheckedQuery, under rights: Rights) {
        self.rights = rights
        self.query = query.name
        model = query.model.name
        keys = position.keys.map { $0.map { JSONValue($0) } ?? .null }
        created = position.created
        last = position.guid
    }

    /// Returns nil if the cursor belongs to another query or sort order, or was created under other
    /// rights.
    func position(in query: CheckedQuery, under rights: Rights) -> Position? {
        guard self.rights == rights, model.hasSameBytes(as: query.model.name),
            self.query == query.name, keys.count == query.order.keys.count, let created
        else { return nil }
        return Position(
            keys: zip(keys, query.order.keys).map { FieldValue($0, of: $1.operand.property.type) },
            created: created, guid: last)
    }
}
