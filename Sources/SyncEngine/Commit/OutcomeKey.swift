package import DefinitionModel

/// The key of an outcome. Each device has its own outcomes.
package struct OutcomeKey: Hashable, Sendable {
    package let login: ByteKey
    package let deviceIdentifier: ByteKey
    private let changeID: ByteKey

    package init(_ changeID: String, of device: DeviceKey) {
        login = ByteKey(device.login)
        deviceIdentifier = ByteKey(device.deviceIdentifier)
        self.changeID = ByteKey(changeID)
    }

    package func isOfSameDevice(as other: OutcomeKey) -> Bool {
        login == other.login && deviceIdentifier == other.deviceIdentifier
    }
}
