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

/// The outcomes that are stored until a device acknowledges them, or until they expire.
package struct OutcomeAmounts: Hashable, Sendable {
    package let ofDevice: StoredAmount
    /// The amount of all devices of the user.
    package let ofUser: StoredAmount

    package init(ofDevice: StoredAmount, ofUser: StoredAmount) {
        self.ofDevice = ofDevice
        self.ofUser = ofUser
    }
}
