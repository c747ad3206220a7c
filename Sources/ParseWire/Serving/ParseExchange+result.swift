import ChangeRules
import DefinitionModel
import JSON
import Logging
import RecordSearch
import SyncEngine
import SyncServer

/// The result of an operation.
struct CarriedOut: Sendable {
    /// Nil if the operation was carried out.
    var failure: ParseFailure?
    /// The outcome of the object's own change; nil if there was none.
    var outcome: Outcome?
    /// The stamp of the change. Nil if it has not changed the object now: it was without effect, or
    /// a repeat.
    var stamp: Instant?
}

/// The answers to changes.
extension ParseExchange {
    /// A repeat is told what the first was told, whatever has changed since.
    func result(
        of plan: PlannedOperation, _ carried: CarriedOut, _ states: [RecordKey: FoundView],
        for caller: Caller
    ) -> DoneOperation {
        let state = states[RecordKey(model: plan.model.name, guid: plan.change.guid)]
        let revision = carried.outcome?.revision
        // As the change has left it, or as it is if there was none.
        let own = revision == nil || state?.record.revision == revision ? state : nil
        let last = revision == 1 ? state?.createdAt : state?.changedAt
        let changedAt =
            carried.stamp?.milliseconds ?? own?.changedAt.milliseconds ?? carried.outcome?.madeAt
            ?? last?.milliseconds ?? exchange.now.milliseconds
        var object = object
        var members = object.members(
            ofValues: told(after: plan, carried, state, isOwn: own != nil, for: caller),
            in: plan.model)
        switch plan.verb {
        case .get, .delete: members = [:]
        case .post:
            let createdAt = state?.createdAt.milliseconds ?? changedAt
            members["objectId"] = .string(plan.id)
            members["createdAt"] = .string(preciseInstant(milliseconds: createdAt))
        case .put: members["updatedAt"] = .string(preciseInstant(milliseconds: changedAt))
        }
        return DoneOperation(members: members, revision: revision)
    }

    /// The values to tell, by the names of fields.
    ///
    /// - Parameter isOwn: Whether the record is as the change has left it.
    private func told(
        after plan: PlannedOperation, _ carried: CarriedOut, _ state: FoundView?, isOwn: Bool,
        for caller: Caller
    ) -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        for name in plan.told {
            if let result = carried.outcome?.results[name] {
                // The transaction has checked that the caller sees it. A right may have gone since.
                let isSeen =
                    carried.stamp != nil
                    || state.map {
                        engine.mayRead(
                            name, of: plan.model.name, in: $0.record, by: caller.asker)
                    } ?? false
                if isSeen { values[name] = result }
            } else if isOwn || plan.verb == .put {
                values[name] = state?.record.fields?[name]
            } else if case .added(let amount)? = plan.change.fields[name] {
                values[name] = JSONValue(amount)
            }
        }
        return values
    }

    /// None if they cannot be read now: the changes are stored, and an error would let the client
    /// send them again.
    func statesIfReadable(
        after done: [(PlannedOperation, CarriedOut)], for caller: Caller
    ) async -> [RecordKey: FoundView] {
        do {
            return try await states(after: done, for: caller)
        } catch {
            exchange.logger.notice(
                "changes are answered without what they made", metadata: ["cause": "\(error)"])
            return [:]
        }
    }

    /// The records after their changes, as far as the caller may see them, and as far as the
    /// client is told more of them than the outcomes have.
    private func states(
        after done: [(PlannedOperation, CarriedOut)], for caller: Caller
    ) async throws -> [RecordKey: FoundView] {
        let written = done.filter { plan, carried in
            carried.failure == nil && plan.verb != .delete
                && (carried.stamp == nil
                    || plan.told.contains { carried.outcome?.results[$0] == nil })
        }.map(\.0)
        var states: [RecordKey: FoundView] = [:]
        for (name, plans) in Dictionary(grouping: written, by: \.model.name) {
            let told = plans.reduce(into: Set<String>()) { $0.formUnion($1.told) }
            for view in try await records(
                withGuids: Set(plans.map(\.change.guid)), of: name, fields: told.sorted(),
                for: caller)
            {
                states[RecordKey(model: name, guid: view.record.guid)] = view
            }
        }
        return states
    }
}
