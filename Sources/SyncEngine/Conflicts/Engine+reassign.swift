import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON

/// The new owner and group of a record.
package struct NewOwnership: Hashable, Sendable {
    /// The new owner; nil keeps the current one.
    package let owner: String?
    /// The new group; nil keeps the current one.
    package let group: String?

    package init(owner: String?, group: String?) {
        self.owner = owner
        self.group = group
    }
}

/// The result of a reassignment: the record's revision, owner and group.
package struct Reassigned: Hashable, Sendable {
    package let revision: Int64
    package let owner: String
    package let group: String
}

extension Engine {
    /// Gives a record to another owner or group. The caller must be an admin.
    ///
    /// A reassignment is a change of the record, but it sets no values, so it does not conflict
    /// with other changes. Devices that lose access to the record are told to drop it.
    package func reassign(
        _ guid: String, of model: String, to ownership: NewOwnership, by caller: Caller,
        at now: Instant
    ) async throws(SyncError) -> Reassigned {
        guard caller.isAdmin else { throw .adminOnly }
        let ownership = try await checked(ownership)
        let author = Author(
            asker: caller.asker, deviceIdentifier: caller.deviceIdentifier, now: now,
            limits: limits)
        let need = ReadSet(
            environment: environment, device: caller.device,
            changeIDs: [], guids: [guid], baseRevisions: [:])
        let result = try await reading { () async throws(StoreError) in
            try await store.commit(need) { _ in
                []
            } deciding: { facts throws(StoreError) -> (WriteSet, Result<Reassigned, SyncError>) in
                guard isCurrent(facts.fingerprint) else {
                    return (WriteSet(), .failure(.definitionChanged))
                }
                guard let record = facts.records[guid], record.model.hasSameBytes(as: model) else {
                    return (WriteSet(), .failure(.recordUnknown))
                }
                let (writes, next) = reassigned(record, to: ownership, by: author)
                return (writes, .success(Reassigned(next)))
            }
        }
        switch result {
        case .success(let reassigned): return reassigned
        case .failure(let error): throw error
        }
    }

    /// Checks that the group and the owner exist. A misspelled owner would hide the record from
    /// everybody.
    private func checked(_ ownership: NewOwnership) async throws(SyncError) -> NewOwnership {
        if let group = ownership.group, !rules.definition.groups.contains(group) {
            throw .account(.groupUnknown(group, known: rules.definition.groups))
        }
        guard let text = ownership.owner else { return ownership }
        return NewOwnership(owner: try await knownUser(text).login, group: ownership.group)
    }

    /// Throws if there is no such user.
    package func knownUser(_ text: String) async throws(SyncError) -> User {
        guard let login = Login.normalized(text) else { throw .account(.loginIllegal(text)) }
        let user = try await reading { () async throws(StoreError) in
            try await store.user(login, in: environment)
        }
        guard let user else { throw .account(.unknown(text)) }
        return user
    }
}

/// Writes nothing if the record already has this owner and group.
private func reassigned(
    _ record: StoredRecord, to ownership: NewOwnership, by author: Author
) -> (WriteSet, StoredRecord) {
    var next = record
    next.owner = ownership.owner ?? record.owner
    next.group = ownership.group ?? record.group
    guard next.ownership != record.ownership else { return (WriteSet(), record) }
    next.revision += 1
    var writes = WriteSet()
    writes.at = author.now
    writes.records = [next]
    writes.history = [
        HistoryEntry(
            guid: record.guid, revision: next.revision, kind: .reassigned, changeID: "",
            login: author.asker.login, deviceCategory: author.asker.role.deviceCategory,
            deviceIdentifier: author.deviceIdentifier, at: author.now,
            wasDeleted: record.isDeleted, fieldsText: "{}")
    ]
    return (writes, next)
}

extension Reassigned {
    fileprivate init(_ record: StoredRecord) {
        self.init(revision: record.revision, owner: record.owner, group: record.group)
    }
}
