import AccessPolicy

extension Engine {
    /// Returns a caller who keeps the application and is no user of it. Such a caller has every
    /// right in the environment, is named in the history, and needs no session: whoever creates
    /// one decides who may be it.
    ///
    /// `owner` is the user to whom the caller's new records belong, and must exist. Without one the
    /// caller creates no records: `push` throws `SyncError.ownerMissing`.
    package func operatorCaller(
        named name: String, device: String, creatingFor owner: String? = nil
    ) async throws(SyncError) -> Caller {
        var user: User?
        if let owner { user = try await knownUser(owner) }
        return try await operatorCaller(
            named: name, device: device,
            ownership: user.map { Ownership(owner: $0.login, group: $0.group) })
    }

    /// Does the same for the new records of a user of a group who need not exist.
    package func operatorCaller(
        named name: String, device: String, creatingFor owner: String, in group: String
    ) async throws(SyncError) -> Caller {
        try await operatorCaller(
            named: name, device: device, ownership: Ownership(owner: owner, group: group))
    }

    private func operatorCaller(
        named name: String, device: String, ownership: Ownership?
    ) async throws(SyncError) -> Caller {
        let moment = try await reading { () async throws(StoreError) in
            try await store.search(in: environment, readingNames: false) {
                try $0.currentState().moment
            }
        }
        return Caller(
            asker: Asker(operator: name, creatingFor: ownership),
            deviceIdentifier: device, isAdmin: true, moment: moment)
    }
}
