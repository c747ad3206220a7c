import AccessPolicy
import DefinitionModel

/// How far a device has seen, of which data, under which rights and which version.
///
/// To clients it is an opaque token. It is not signed: what it says only decides where a page
/// starts, and every record of the page passes the gate.
struct Cursor: Hashable {
    let instance: String
    let sequence: Int64
    /// Of everything that decides what its holder may see.
    let rights: UInt64

    init(instance: String, sequence: Int64, rights: UInt64) {
        self.instance = instance
        self.sequence = sequence
        self.rights = rights
    }

    /// Nil when the token was not made by `token`.
    init?(token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard token.utf8.count <= 128, parts.count == 4,
            let sequence = Int64(parts[2], radix: 36), sequence >= 0,
            let rights = UInt64(parts[3], radix: 36)
        else { return nil }
        self.init(instance: String(parts[1]), sequence: sequence, rights: rights)
        guard self.token.utf8.elementsEqual(token.utf8) else { return nil }
    }

    /// Safe in a URL and a header.
    var token: String {
        "c1.\(instance).\(String(sequence, radix: 36)).\(String(rights, radix: 36))"
    }

    /// Changes whenever the asker may see other records or fields than before. (FNV-1a: it must
    /// be the same in every process, and need not resist anyone.)
    static func rights(of asker: Asker, fingerprint: String) -> UInt64 {
        [fingerprint, asker.login, asker.group, asker.role.deviceCategory]
            .joined(separator: "\0").utf8
            .reduce(0xcbf2_9ce4_8422_2325) { hash, byte in
                (hash ^ UInt64(byte)) &* 0x100_0000_01b3
            }
    }
}
