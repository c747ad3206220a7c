import ChangeRules
import DefinitionModel
import JSON

/// Where the next page of a question begins. It is sealed like the cursor of a pull, since it
/// has a number of the environment's. It is worth nothing with another question, or to others.
struct FindCursor: Codable, Hashable {
    let rights: Rights
    let model: String
    let query: String
    /// What the last record of the page before is sorted by, its creation and its guid.
    let keys: [JSONValue]
    /// Nil in a cursor from before creation was part of the order.
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

    /// Nil when the cursor is of another question or another order, or was given under other
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
