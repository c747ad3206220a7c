import ChangeRules
import DefinitionModel
import JSON
import RecordSearch
import SyncEngine

/// The guids of related rows that may stand for other ids, by the model of these rows.
struct RelatedGuids {
    private(set) var byModel: [String: Set<String>] = [:]
    /// The models to which the relations of the table refer, by the name of the field.
    private let models: [String: String]

    init(of table: Table) {
        var models: [String: String] = [:]
        for field in table.model.fields {
            guard case .belongsTo(let relation) = field.type else { continue }
            models[field.name] = relation.model
        }
        self.models = models
    }

    mutating func add(_ rows: [FoundView]) throws(SyncError) {
        guard !models.isEmpty else { return }
        for row in rows {
            if let stored = row.stored {
                try add(stored)
            } else if let fields = row.record.fields {
                for (name, model) in models {
                    guard case .string(let guid)? = fields[name],
                        RecordNaming.mayStandForName(guid)
                    else { continue }
                    byModel[model, default: []].insert(guid)
                }
            }
        }
    }

    private mutating func add(_ stored: StoredFields) throws(SyncError) {
        let names = stored.selection.names
        do {
            try stored.withValues { values in
                for index in names.indices { add(values[index], of: models[names[index]]) }
            }
        } catch {
            throw .store(error)
        }
    }

    mutating func add(_ page: StampedPage) throws(SyncError) {
        guard !models.isEmpty else { return }
        let selected = page.selections.map { $0.names.map { models[$0] } }
        do {
            try page.forEachRow { row throws(StoreError) in
                guard !row.isDeleted else { return }
                let models = selected[row.selection]
                try page.withValues(of: row) { values in
                    for index in models.indices { add(values[index], of: models[index]) }
                }
            }
        } catch {
            throw .store(error)
        }
    }

    private mutating func add(_ value: UnsafeBufferPointer<UInt8>?, of model: String?) {
        guard let model, let guid = value.flatMap(derivedGuid) else { return }
        byModel[model, default: []].insert(guid)
    }
}
