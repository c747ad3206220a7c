import ChangeRules
import DefinitionModel
import JSON
import RecordSearch
import SyncEngine

/// A reader that knows a stamp instead of a cursor, and asks for everything that changed since.
struct StampFollower: Sendable {
    /// The revision of every record that was read, deleted ones included, by guid.
    private(set) var revisions: [String: Int64] = [:]
    private var lastStamp: Int64 = .min

    mutating func readOn(_ engine: Engine) async throws(SyncError) {
        let caller = try await engine.operatorCaller(named: "follower", device: "follower")
        var latest = lastStamp
        for model in engine.rules.definition.models {
            var (stamp, hasMore) = (lastStamp, true)
            while hasMore {
                (stamp, hasMore) = try await readPage(of: model.name, after: stamp, engine, caller)
            }
            latest = max(latest, stamp)
        }
        lastStamp = latest
    }

    private mutating func readPage(
        of model: String, after stamp: Int64, _ engine: Engine, _ caller: Caller
    ) async throws(SyncError) -> (lastStamp: Int64, hasMore: Bool) {
        var query = FindQuery(
            filter: .compare(.gt, operand: "$changedAt", with: .value(.integer(stamp))),
            sort: [FindQuery.SortKey("$changedAt")], limit: 20)
        query.includesDeleted = true
        query.includesNames = true
        query.keepsText = true
        if let page = try await engine.stampedPage(of: query, of: model, for: caller) {
            do {
                try page.forEachRow { row throws(StoreError) in
                    revisions[String(decoding: row.guid, as: UTF8.self)] = row.revision
                }
            } catch {
                throw .store(error)
            }
            return (page.lastChange?.milliseconds ?? stamp, page.hasMore)
        }
        let page = try await engine.find(query, of: model, for: caller)
        for found in page.found { revisions[found.record.guid] = found.record.revision }
        return (page.found.last?.changedAt.milliseconds ?? stamp, page.hasMore)
    }
}

extension Auditor {
    /// Compares what a follower has read with what is stored of the models that there are.
    func audit(_ follower: StampFollower) throws(InvariantViolation) {
        for (guid, record) in records.sorted(by: { $0.key < $1.key })
        where follower.revisions[guid] != record.stored.revision
            && rules.model(named: record.stored.model) != nil
        {
            let known = follower.revisions[guid].map { "revision \($0)" } ?? "nothing"
            throw InvariantViolation(
                .stampsTellEveryChange,
                "a reader that follows stamps knows \(known) of \(record.summary), whose revision "
                    + "is \(record.stored.revision)")
        }
    }
}
