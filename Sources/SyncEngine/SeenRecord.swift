import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON

/// A record as its asker sees it. Filters, orders and counts know records through this alone, so a
/// value that is not the asker's to read is none for them, like one that is not there.
struct SeenRecord: Sendable {
    let guid: String
    let model: String
    let owner: String
    let group: String
    let isConflicted: Bool
    private let view: View
    /// Also of fields that the view does not show.
    private let stored: [String: JSONValue]

    fileprivate init(_ record: StoredRecord, through view: View) throws(StoreError) {
        guid = record.guid
        model = record.model
        owner = record.owner
        group = record.group
        isConflicted = record.isConflicted
        self.view = view
        stored = try JSONText.fields(record.fieldsText)
    }

    func value(of property: Operand.Property) -> FieldValue? {
        switch property {
        case .guid: .reference(guid: guid)
        case .owner: .text(owner)
        case .group: .text(group)
        case .conflicted: .boolean(isConflicted)
        case .field(let name, let type):
            view.shows(field: name) ? stored[name].flatMap { FieldValue($0, of: type) } : nil
        }
    }
}

extension Gate {
    /// Nil for a record that cannot be found: it is not the asker's to see, or it is deleted and
    /// nobody disputes that.
    func seen(_ record: StoredRecord) throws(StoreError) -> SeenRecord? {
        guard rules.model(named: record.model) != nil, !record.isDeleted || record.isConflicted
        else { return nil }
        let view = view(of: record.model, record.ownership)
        return view == .nothing ? nil : try SeenRecord(record, through: view)
    }
}

/// A record with those that it belongs to, as an asker sees them.
struct Sighting: Sendable {
    let record: SeenRecord
    /// The sequence of its creation: part of its place in an order, and no value.
    let created: Int64
    /// By the field that names them, those that the asker may see.
    var related: [String: SeenRecord]

    /// Nil where there is none, and where it is not the asker's to read.
    func value(of operand: Operand) -> FieldValue? {
        guard let relation = operand.relation else { return record.value(of: operand.property) }
        return related[relation.field]?.value(of: operand.property)
    }
}
