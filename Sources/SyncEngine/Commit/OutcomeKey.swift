package import DefinitionModel

/// The key of an outcome. Each device has its own outcomes.
package struct OutcomeKey: Hashable, Sendable {
    package let device: DeviceByteKey
    private let changeID: ByteKey

    package init(_ changeID: String, of device: DeviceKey) {
        self.device = DeviceByteKey(device)
        self.changeID = ByteKey(changeID)
    }

    package init(_ id: OutcomeID) { self.init(id.changeID, of: id.device) }
}

/// A device whose texts are compared byte by byte.
package struct DeviceByteKey: Hashable, Comparable, Sendable {
    package let login: ByteKey
    package let identifier: ByteKey

    package init(_ device: DeviceKey) {
        login = ByteKey(device.login)
        identifier = ByteKey(device.deviceIdentifier)
    }

    package static func < (left: DeviceByteKey, right: DeviceByteKey) -> Bool {
        (left.login, left.identifier) < (right.login, right.identifier)
    }
}
