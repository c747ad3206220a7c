import Hashing

/// The SHA-256 of a content. Equal contents share one hash and are stored once.
package struct ContentHash: Hashable, Sendable {
    /// 64 lowercase hexadecimal digits, which are safe as a file name.
    package let hex: String

    package init?(hex: String) {
        let isDigit: (UInt8) -> Bool = { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
            default: false
            }
        }
        guard hex.utf8.count == 64, hex.utf8.allSatisfy(isDigit) else { return nil }
        self.hex = hex
    }

    /// Returns nil unless there are 32 bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        hex = hexadecimal(bytes)
    }

    package var bytes: [UInt8] {
        let digits = hex.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }
}
