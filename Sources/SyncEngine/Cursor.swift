import AccessPolicy
import DefinitionModel
import Synchronization

/// How far a device has seen, of which data, and under which rights.
///
/// To clients it is a text without meaning, which only the server can make and read: see
/// `CursorSeal`.
struct Cursor: Codable, Hashable {
    let instance: String
    /// Every record whose last change is not after it was looked at.
    var position: Int64
    /// Under which the records up to the position were handed out.
    let rights: Rights
    var phase: Phase

    enum Phase: Codable, Hashable {
        /// The client went through everything once, and had all as it was at a sequence. What it
        /// has of a record that has changed since then may be that, or any later state.
        case following(since: Int64)
        /// It holds nothing yet of what comes after the position. It began at this sequence.
        case starting(at: Int64)
        /// Of what comes after the position it holds what other rights showed, as it was at
        /// sequences from the first to the second.
        case changing(from: Rights, since: Int64, until: Int64)
    }

    /// What the client holds is of no earlier sequence, or has not changed between.
    var heldSince: Int64 {
        switch phase {
        case .following(let sequence), .starting(let sequence), .changing(_, let sequence, _):
            sequence
        }
    }

    /// Tombstones after this sequence are of use to the client.
    var needsTombstonesAfter: Int64 {
        switch phase {
        case .following: position
        case .starting(let sequence): max(position, sequence)
        case .changing(_, _, let sequence): max(position, sequence)
        }
    }
}

/// Everything that decides what somebody may see.
struct Rights: Codable, Hashable {
    /// Of the definition.
    let fingerprint: String
    let login: String
    let group: String
    let deviceCategory: String

    init(fingerprint: String, login: String, group: String, deviceCategory: String) {
        self.fingerprint = fingerprint
        self.login = login
        self.group = group
        self.deviceCategory = deviceCategory
    }

    init(of asker: Asker, fingerprint: String) {
        self.init(
            fingerprint: fingerprint, login: asker.login, group: asker.group,
            deviceCategory: asker.role.deviceCategory)
    }
}

/// Turns what only the server may read and write into a text for clients, and back.
///
/// A client that could make up where it has been would be told of records that it never saw, when
/// they are taken from it.
package struct CursorSeal: Sendable {
    /// Visible ASCII; nil where it cannot be done.
    let seal: @Sendable ([UInt8]) -> String?
    /// Nil for what `seal` did not make.
    let open: @Sendable (String) -> [UInt8]?
    private let recent = RecentCursors()
    static let maxBytes = 2048

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

    /// Nil when the token is none of these.
    func value<Value: Decodable>(
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

/// Cursors that were made or read lately. A client mostly comes back with the one that it was given
/// last, and to open that again was nearly half of what the engine does for a pull of nothing. What
/// a token says never changes, so nothing here can be out of date.
private final class RecentCursors: Sendable {
    /// A kilobyte each, or so.
    private static let mostKept = 4096

    private let kept = Mutex<[UInt64: (token: String, cursor: Cursor)]>([:])

    /// Texts that look the same and have other bytes are other tokens.
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
    /// The last bytes, which in what is sealed are of a checksum: as good as random, and less to
    /// look at than the whole text.
    fileprivate var ending: UInt64 { utf8.suffix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
