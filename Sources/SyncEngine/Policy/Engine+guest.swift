import AccessPolicy

extension Engine {
    /// Returns the caller as whom clients without a session act: a user of the environment on a
    /// device of the category, with the rights that this user has at present and never an admin.
    ///
    /// Needs no session: whoever calls it decides who may be the guest. Throws `definitionChanged`
    /// if the environment was deployed again, or an error if the device has no legal identifier, if
    /// there is no such user, or no role for the user's group and the category.
    package func guestCaller(
        _ login: String, deviceCategory: String, device: String
    ) async throws(SyncError) -> Caller {
        try checkDevice(device)
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

    /// Throws `deviceIdentifierIllegal` unless an identifier has 1 to
    /// `Limits.deviceIdentifierBytes` bytes of visible ASCII. Each change is stored with it.
    package func checkDevice(_ identifier: String) throws(SyncError) {
        let maxBytes = limits.deviceIdentifierBytes
        let isLegal =
            (1...maxBytes).contains(identifier.utf8.count)
            && identifier.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isLegal else {
            throw .signIn(.deviceIdentifierIllegal(maxBytes: maxBytes))
        }
    }
}
