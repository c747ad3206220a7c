package import DefinitionModel

/// A number of rows, and the bytes of their texts.
package struct StoredAmount: Hashable, Sendable {
    package let rows: Int
    package let bytes: Int

    package init(rows: Int, bytes: Int) {
        self.rows = rows
        self.bytes = bytes
    }

    package static let nothing = StoredAmount(rows: 0, bytes: 0)

    package static func + (first: StoredAmount, second: StoredAmount) -> StoredAmount {
        StoredAmount(rows: first.rows + second.rows, bytes: first.bytes + second.bytes)
    }

    static func - (first: StoredAmount, second: StoredAmount) -> StoredAmount {
        StoredAmount(rows: first.rows - second.rows, bytes: first.bytes - second.bytes)
    }
}

extension [StoredConflict] {
    /// The number of the conflicts, and the size of their sides.
    var amount: StoredAmount {
        reduce(.nothing) { $0 + StoredAmount(rows: 1, bytes: $1.text.utf8.count) }
    }
}

/// The outcomes of a user that are stored until a device acknowledges them, or until they expire.
package struct OutcomeAmounts: Hashable, Sendable {
    /// By device identifier. A device without outcomes may be missing.
    package private(set) var ofDevices: [ByteKey: StoredAmount]
    /// The amount of all devices of the user.
    package private(set) var ofUser: StoredAmount

    package init(ofDevices: [ByteKey: StoredAmount] = [:]) {
        self.ofDevices = ofDevices
        ofUser = ofDevices.values.reduce(.nothing, +)
    }

    /// The amount of a device of the user.
    package func ofDevice(_ device: DeviceKey) -> StoredAmount {
        if ofDevices.isEmpty { return .nothing }
        return ofDevices[ByteKey(device.deviceIdentifier)] ?? .nothing
    }

    func adding(_ amount: StoredAmount, of device: DeviceKey) -> OutcomeAmounts {
        var sum = self
        sum.ofDevices[ByteKey(device.deviceIdentifier)] = ofDevice(device) + amount
        sum.ofUser = ofUser + amount
        return sum
    }
}
