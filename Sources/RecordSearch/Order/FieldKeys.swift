import ChangeRules
import DefinitionModel
import JSON
import SyncEngine

/// The keys of an order by fields of the records themselves. It reads them alone: reading all
/// fields takes most of the time of a search that only sorts.
struct FieldKeys: Sendable {
    private let keys: [(key: SearchOrder.Key, type: FieldTypeName, place: Int)]
    private let selection: FieldSelection

    /// Returns nil for an order by anything else.
    init?(of order: SearchOrder) {
        var fields: [(key: SearchOrder.Key, name: String, type: FieldTypeName)] = []
        for key in order.keys {
            guard key.operand.relation == nil,
                case .field(let name, let type) = key.operand.property
            else { return nil }
            fields.append((key, name, type))
        }
        let selection = FieldSelection(fields.map(\.name))
        self.selection = selection
        keys = fields.compactMap { field in
            selection.names.firstIndex { $0.hasSameBytes(as: field.name) }
                .map { (field.key, field.type, $0) }
        }
    }

    /// One value per key. The asker must see all of the fields.
    func values(
        in fields: UnsafeBufferPointer<UInt8>
    ) throws(StoreError) -> [FieldValue?] {
        var (values, isLegible) = ([FieldValue?](), true)
        values.reserveCapacity(keys.count)
        try selection.withValues(in: fields) { stored in
            for (key, type, place) in keys {
                guard let text = stored[place] else {
                    values.append(nil)
                    continue
                }
                guard let json = try? parsePlainJSON(text) else {
                    isLegible = false
                    return
                }
                values.append(FieldValue(json, of: type)?.sortable(by: key))
            }
        }
        guard isLegible else { throw .unreadable("stored JSON cannot be read") }
        return values
    }
}
