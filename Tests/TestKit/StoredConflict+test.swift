package import SyncEngine

extension StoredConflict {
    /// A conflict with arbitrary origin.
    package init(guid: String, revision: Int64, text: String) {
        self.init(
            guid: guid, revision: revision,
            device: DeviceKey(login: "a", deviceIdentifier: "phone"), text: text)
    }
}
