import AccessPolicy
import ChangeRules
import DefinitionModel
package import JSON
package import SyncEngine
import VersionTranslation

/// A revision of a record that a client has read, at a time that nobody knows.
package struct ReadRevision: Sendable {
    private let guid: String
    private let revision: Int64
    /// A stamp that is not later than that of the revision.
    private let earliest: Instant
    private let presentOwnership: Ownership

    /// - Parameters:
    ///   - found: The record at its present revision.
    ///   - earliest: A stamp that is not later than that of the revision.
    package init(_ revision: Int64, of found: FoundView, earliest: Instant) {
        guid = found.record.guid
        self.revision = revision
        self.earliest = earliest
        presentOwnership = Ownership(owner: found.record.owner, group: found.record.group)
    }

    fileprivate struct AccessChanges: Sendable {
        let ownershipChanges: [OwnershipChange]
        let changes: [ReadPolicyChange]
    }

    fileprivate func past(
        of login: String, in transaction: any SearchTransaction
    ) throws -> AccessChanges {
        AccessChanges(
            ownershipChanges: try transaction.ownershipChanges(of: [guid], after: 0).first ?? [],
            changes: try transaction.readPolicyChanges(of: login))
    }

    /// All values of the record; none if it has another revision.
    fileprivate func presentValues(
        in transaction: any SearchTransaction
    ) throws -> [String: JSONValue] {
        guard let record = try transaction.records([guid]).first??.record,
            record.revision == revision
        else { return [:] }
        return try JSONText.fields(record.fieldsText)
    }

    /// Whether the record, at its present revision, showed a field under earlier rights of a user.
    fileprivate func onceShowed(
        _ field: Field, since madeAt: Instant, _ former: PreviousReadPolicies
    ) -> Bool {
        former.onceShowed(
            field, of: presentOwnership, since: earliest, endingAfter: madeAt)
    }

    /// The same for a field that the present version does not have.
    fileprivate func onceShowed(
        stored name: String, since madeAt: Instant, _ former: PreviousReadPolicies
    ) -> Bool {
        former.onceShowed(
            stored: name, of: presentOwnership, since: earliest, endingAfter: madeAt)
    }

    /// The owner and the group that the record had at the revision.
    fileprivate func ownership(after changes: [OwnershipChange]) -> Ownership {
        changes.first { $0.revision > revision }?.former ?? presentOwnership
    }

    /// Whether the record showed a field at the revision, under all rights of the asker since then.
    fileprivate func showed(
        _ field: Field, to filter: ReadFilter, in model: String, _ past: AccessChanges,
        _ former: PreviousReadPolicies
    ) -> Bool {
        let ownership = ownership(after: past.ownershipChanges)
        let present = filter.view(of: model, ownership)
        return (present == .nothing || present.shows(field: field.name))
            && former.alwaysShowed(field, of: ownership, since: earliest)
    }
}

extension WordedEngine {
    /// Returns those of some fields of a record that a caller who has read a revision of it may not
    /// have seen: under the present rights, or under earlier ones since the revision.
    package func fieldsPerhapsHidden(
        _ fields: [String], of model: String, at read: ReadRevision, from caller: Caller
    ) async throws(SyncError) -> Set<String> {
        guard let served = servedModel(model) else { return [] }
        let filter = ReadFilter(rules: engine.readRules, asker: caller.asker)
        let past = try await engine.reading { () async throws(StoreError) in
            try await engine.store.search(in: engine.environment, readingNames: false) {
                try read.past(of: caller.asker.login, in: $0)
            }
        }
        let former = engine.previousReadPolicies(
            of: caller.asker, before: past.changes, in: served.name)
        return Set(
            fields.filter { name in
                let servedName = translation.map { $0.servedOperand(name, ofModel: model) } ?? name
                let field = served.fields.first { $0.name == servedName }
                return field.map { !read.showed($0, to: filter, in: served.name, past, former) }
                    ?? false
            })
    }

    /// Returns the values of those of some fields that a record showed to a caller, under earlier
    /// rights or in earlier versions, since its present revision. None for a former revision, and
    /// for a user whose making was not recorded: it may have been after these rights.
    package func valuesOnceShown(
        _ fields: [String], of model: String, at read: ReadRevision, to caller: Caller
    ) async throws(SyncError) -> [String: JSONValue] {
        guard let served = servedModel(model),
            let madeAt = try await engine.knownUser(caller.login).madeAt
        else { return [:] }
        let (values, past) = try await engine.reading { () async throws(StoreError) in
            try await engine.store.search(in: engine.environment, readingNames: false) {
                (try read.presentValues(in: $0), try read.past(of: caller.login, in: $0))
            }
        }
        let former = engine.previousReadPolicies(
            of: caller.asker, before: past.changes, in: served.name)
        let shown = served.fields.filter { read.onceShowed($0, since: madeAt, former) }
        let known = Dictionary(
            uniqueKeysWithValues: shown.compactMap { field in
                values[field.name].map { (field.name, $0) }
            })
        let words = translation?.model(calledByClient: model)
        var own = words?.clientFields(known) ?? known
        for name in fields {
            guard let stored = words?.storedName(ofUnserved: name),
                read.onceShowed(stored: stored, since: madeAt, former)
            else { continue }
            own[name] = values[stored]
        }
        return own.filter { fields.contains($0.key) }
    }
}
