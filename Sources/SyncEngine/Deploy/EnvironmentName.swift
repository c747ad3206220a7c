/// The rules for names of environments.
package enum EnvironmentName {
    /// Whether a name is a non-empty sequence of ASCII letters, digits, `-` and `_`. An incomplete
    /// copy has an illegal name, so that it cannot be used as an environment.
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
