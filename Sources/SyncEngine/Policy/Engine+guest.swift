import AccessPolicy

extension Engine {
    /// Returns the caller as whom clients without a session act: a user of the environment on a
    /// device of the category, with the rights that this user has at present and never an admin.
    ///
    /// Needs no session: whoever calls it decides who may be the guest. Throws `definitionChanged`
    /// if the environment was deployed again, or an error if there is no such user, or no role for
    /// the user's group and the category.
    package func guestCaller(
        _ login: String, deviceCategory: String, device: String
    ) async throws(SyncError) -> Caller {
        let moment = try await reading { () async throws(StoreError) in
            try await store.search(in: environment, readingNames: false) {
                try $0.currentState().moment
            }
        }
        guard moment.deployment == deployment else { throw .definitionChanged }
        let user = try await knownUser(login)
        let role = try role(group: user.group, deviceCategory: deviceCategory)
        return Caller(
            asker: Asker(login: user.login, group: user.group, role: role),
            deviceIdentifier: device, isAdmin: false, moment: moment)
    }
}
