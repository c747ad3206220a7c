import ChangeRules
import WholeRecordSync

/// The refusals of an archive that could not be kept. Only the first ones are held.
struct ImportErrors: Hashable, Sendable {
    private static let max = 20

    private(set) var first: [UnkeptRefusal] = []
    private(set) var count = 0

    mutating func add(_ refusal: RefusedInput) {
        count += 1
        guard first.count < Self.max else { return }
        first.append(
            UnkeptRefusal(model: refusal.model, guid: refusal.guid, causes: refusal.causes))
    }

    /// The rejection of a synchronization of `records` records; nil if there were no errors.
    func rejection(of records: Int) -> SyncRejection? {
        guard count > 0 else { return nil }
        return .listFull(records: Int64(records), count: Int64(count), first: first)
    }
}

extension SyncRejection {
    /// The message for a client, with the models' names in its version.
    func message(through mapping: SchemaMapping) -> String {
        switch self {
        case .recorded(let sentence): return sentence
        case .listFull(let records, let count, let first):
            let more = count - Int64(first.count)
            return
                ([
                    "some of \(records) records were refused, and no more can be kept for the "
                        + "operator, who can see them with 'waggle refused list'; the others are "
                        + "stored"
                ] + first.map { $0.message(through: mapping) }
                + (more > 0 ? ["and \(more) more"] : []))
                .joined(separator: "\n")
        }
    }
}

extension UnkeptRefusal {
    fileprivate func message(through mapping: SchemaMapping) -> String {
        let name = mapping.model(model)?.clientName ?? model
        let record = [name, guid].filter { !$0.isEmpty }.joined(separator: " ")
        let reason = causes.map { CauseDescription($0).message }.joined(separator: "; ")
        return record.isEmpty ? reason : "\(record): \(reason)"
    }
}
