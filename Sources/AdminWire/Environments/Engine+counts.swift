import DefinitionModel
import SyncEngine

/// The number of records of a model that are not deleted or have an open conflict.
struct ModelCount: Hashable, Sendable {
    let model: String
    let records: Int
    /// Whether there are more records than were counted.
    let isLeast: Bool
}

/// The numbers of records of an environment at one moment.
struct RecordCounts: Hashable, Sendable {
    let sequence: Int64
    /// In the order of the definition.
    let models: [ModelCount]
}

extension Engine {
    /// Counts the records of each model, up to `max` of one.
    func recordCounts(upTo max: Int) async throws(SyncError) -> RecordCounts {
        let models = rules.definition.models.map(\.name)
        return try await reading { () async throws(StoreError) in
            try await store.search(in: environment, readingNames: false) { transaction in
                RecordCounts(
                    sequence: try transaction.currentState().moment.sequence,
                    models: try models.map { try count($0, upTo: max, transaction) })
            }
        }
    }
}

private func count(
    _ model: String, upTo max: Int, _ transaction: some SearchTransaction
) throws -> ModelCount {
    var (records, group) = (0, String?.none)
    while records <= max, let next = try transaction.nextGroup(of: model, after: group) {
        let run = RecordRun(
            model: model, group: next, owners: .everybody, start: .beginning())
        records += try transaction.recordCount(in: run, upTo: max - records + 1)
        group = next
    }
    return ModelCount(model: model, records: min(records, max), isLeast: records > max)
}
