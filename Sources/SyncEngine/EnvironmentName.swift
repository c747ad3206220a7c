/// The names that an environment may have.
package enum EnvironmentName {
    /// Letters and digits of ASCII, `-` and `_`; at least one. A copy that is not complete has
    /// another name, so that nobody takes it for an environment.
    package static func isLegal(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(isLegal)
    }

    private static func isLegal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
