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
            var query = FindQuery(
                filter: .compare(
                    .gt, operand: "$changedAt", with: .value(.integer(lastStamp))),
                sort: [FindQuery.SortKey("$changedAt")], limit: 20)
            query.includesDeleted = true
            repeat {
                let page = try await engine.find(query, of: model.name, for: caller)
                for found in page.found {
                    revisions[found.record.guid] = found.record.revision
                    latest = max(latest, found.changedAt.milliseconds)
                }
                query.cursor = page.cursor
            } while query.cursor != nil
        }
        lastStamp = latest
    }
}

extension Auditor {
    /// Compares what a follower has read with what is stored.
    func audit(_ follower: StampFollower) throws(InvariantViolation) {
        for (guid, record) in records.sorted(by: { $0.key < $1.key })
        where follower.revisions[guid] != record.stored.revision {
            let known = follower.revisions[guid].map { "revision \($0)" } ?? "nothing"
            throw InvariantViolation(
                .stampsTellEveryChange,
                "a reader that follows stamps knows \(known) of \(record.summary), whose revision "
                    + "is \(record.stored.revision)")
        }
    }
}
