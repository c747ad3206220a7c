package import AccessPolicy
import DefinitionModel
import Synchronization

/// How far a device has read an environment, and under which rights.
///
/// Clients treat the cursor as opaque text. Only the server can create and read it: see
/// `CursorSeal`.
package struct Cursor: Codable, Hashable, Sendable {
    /// `Engine.instance` of the engine that created the cursor.
    package let instance: String
    /// The device has read every record whose last change has this sequence or an earlier one.
    package internal(set) var position: Int64
    /// The epoch in which the client got the cursor, and the last sequence of which it may know.
    /// Cursors of earlier versions of Waggle are of epoch 0.
    var epoch: Int64 = 0
    var known: Int64 = 0
    /// The rights under which the records up to the position were sent.
    package let rights: Rights
    package var phase: Phase

    package enum Phase: Codable, Hashable, Sendable {
        /// The client has read everything once and had the state of a sequence. Its copy of a
        /// record that has changed since then is of that sequence or later.
        case following(since: Int64)
        /// A first read or a resync, which began at a sequence. The client holds nothing beyond the
        /// position.
        case starting(at: Int64)
        /// A read after a change of rights. Beyond the position, the client still holds what its
        /// previous rights showed, as of sequences from `since` to `until`.
        case changing(from: Rights, since: Int64, until: Int64)
    }

    /// The last sequence that the cursor names.
    var latest: Int64 {
        switch phase {
        case .following(let sequence), .starting(let sequence): max(position, sequence)
        case .changing(_, let since, let until): max(position, max(since, until))
        }
    }

    /// Every record that the client holds is at least as new as this sequence.
    var heldSince: Int64 {
        switch phase {
        case .following(let sequence), .starting(let sequence), .changing(_, let sequence, _):
            sequence
        }
    }

    /// The client needs the tombstones after this sequence.
    var needsTombstonesAfter: Int64 {
        switch phase {
        case .following: position
        case .starting(let sequence): max(position, sequence)
        case .changing(_, _, let sequence): max(position, sequence)
        }
    }
}

/// All inputs that decide what a user may see.
package struct Rights: Codable, Hashable, Sendable {
    /// The fingerprint of the definition.
    package let fingerprint: String
    let login: String
    let group: String
    let deviceCategory: String

    init(fingerprint: String, login: String, group: String, deviceCategory: String) {
        self.fingerprint = fingerprint
        self.login = login
        self.group = group
        self.deviceCategory = deviceCategory
    }

    package init(of asker: Asker, fingerprint: String) {
        self.init(
            fingerprint: fingerprint, login: asker.login, group: asker.group,
            deviceCategory: asker.role.deviceCategory)
    }
}

/// Encrypts and authenticates server data that is handed to clients as opaque text.
///
/// With a forged cursor, a client could claim to have seen other records, and would then be told
/// when access to them is withdrawn.
package struct CursorSeal: Sendable {
    /// Returns visible ASCII, or nil if sealing fails.
    package let seal: @Sendable ([UInt8]) -> String?
    /// Returns nil for text that `seal` did not produce.
    package let open: @Sendable (String) -> [UInt8]?
    private let recent = RecentCursors()
    package static let maxBytes = 2048

    package init(
        seal: @escaping @Sendable ([UInt8]) -> String?,
        open: @escaping @Sendable (String) -> [UInt8]?
    ) {
        self.seal = seal
        self.open = open
    }
}

extension CursorSeal {
    func token(of value: some Encodable) throws(StoreError) -> String {
        guard let token = seal(Array(try JSONText.encode(value).utf8)) else {
            throw .failed("a cursor cannot be sealed")
        }
        if let cursor = value as? Cursor { recent.keep(cursor, of: token) }
        return token
    }

    /// Returns nil if the token is too long, invalid, or of another type.
    package func value<Value: Decodable>(
        of token: String, as type: Value.Type, maxBytes: Int = maxBytes
    ) -> Value? {
        guard token.utf8.count <= maxBytes else { return nil }
        if type == Cursor.self, let known = recent.cursor(of: token) as? Value { return known }
        guard let bytes = open(token),
            let value = try? JSONText.decode(String(decoding: bytes, as: UTF8.self), as: type)
        else { return nil }
        if let cursor = value as? Cursor { recent.keep(cursor, of: token) }
        return value
    }
}

/// A cache of cursors that were recently created or read.
///
/// A client usually sends the cursor that it received last. Opening it again took nearly half of
/// the engine's time for an empty pull. A token never changes its meaning, so entries do not become
/// stale.
private final class RecentCursors: Sendable {
    /// The maximum number of entries, of about a kilobyte each.
    private static let mostKept = 4096

    private let kept = Mutex<[UInt64: (token: String, cursor: Cursor)]>([:])

    /// Compares bytes, because canonically equivalent texts are different tokens.
    func cursor(of token: String) -> Cursor? {
        let found = kept.withLock { $0[token.ending] }
        guard let found, found.token.hasSameBytes(as: token) else { return nil }
        return found.cursor
    }

    func keep(_ cursor: Cursor, of token: String) {
        kept.withLock { kept in
            if kept.count >= Self.mostKept { kept.removeAll(keepingCapacity: true) }
            kept[token.ending] = (token, cursor)
        }
    }
}

extension String {
    /// The last eight bytes. In a sealed token they belong to a checksum, so they serve as a hash
    /// that is cheaper than one of the whole text.
    fileprivate var ending: UInt64 { utf8.suffix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
