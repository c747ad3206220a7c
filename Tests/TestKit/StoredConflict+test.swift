package import SyncEngine

extension StoredConflict {
    /// One of which it does not matter where it comes from.
    package init(guid: String, revision: Int64, text: String) {
        self.init(
            guid: guid, revision: revision,
            device: DeviceKey(login: "a", deviceIdentifier: "phone"), text: text)
    }
}
