import Administration
import Hashing
import NIOConcurrencyHelpers
package import SyncEngine

/// A file with a definition, which is a draft: designers read and write the file itself.
package final class DraftFile: Sendable {
    /// The name of the draft.
    let name: String
    /// As it is shown to operators.
    let path: String
    private let read: @Sendable () throws -> (bytes: [UInt8], changedAt: Instant)
    private let write: @Sendable ([UInt8]) throws -> Void
    private let turn = NIOLockedValueBox(())

    /// - Parameters:
    ///   - application: The name of the application; that of the draft, if it can be.
    ///   - write: Replaces the file as a whole.
    package init(
        path: String, application: String,
        read: @escaping @Sendable () throws -> (bytes: [UInt8], changedAt: Instant),
        write: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        name = StoredDraft.isLegal(name: application) ? application : "draft"
        self.path = path
        self.read = read
        self.write = write
    }

    /// The present contents.
    func contents() throws -> FileContents {
        try turn.withLockedValue { _ in
            let (bytes, changedAt) = try read()
            return FileContents(bytes: bytes, changedAt: changedAt)
        }
    }

    /// Writes the file if its contents have the revision `base`. Returns the new contents, or nil
    /// if somebody has changed the file meanwhile.
    func replace(_ base: Int64, with bytes: [UInt8], at now: Instant) throws -> FileContents? {
        try turn.withLockedValue { _ in
            let present = try read()
            guard FileContents.revision(of: present.bytes) == base else { return nil }
            if present.bytes != bytes { try write(bytes) }
            return FileContents(bytes: bytes, changedAt: now)
        }
    }
}

/// The contents of a file at one moment.
struct FileContents: Hashable, Sendable {
    let bytes: [UInt8]
    let changedAt: Instant
    let revision: Int64

    init(bytes: [UInt8], changedAt: Instant) {
        self.bytes = bytes
        self.changedAt = changedAt
        revision = Self.revision(of: bytes)
    }

    /// A positive number below 2^52 that differs with the contents.
    static func revision(of bytes: [UInt8]) -> Int64 {
        let number = SHA256.hash(bytes).prefix(7).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return (number >> 4) + 1
    }
}
