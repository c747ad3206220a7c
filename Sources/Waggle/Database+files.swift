public import Foundation
import Secrets

extension Database {
    /// Copies a file into the folder of the database, and returns a reference for a field of a
    /// record. The next sync uploads the contents.
    ///
    /// Without a `filename` the reference has the last component of the URL.
    ///
    /// Throws `failed` if the file cannot be read or copied. Limits are checked later: saving a
    /// record is refused if the name is empty, longer than 255 bytes, or has slashes or control
    /// characters, and the server takes no contents of more than its `maxFileBytes`, 100 MiB unless
    /// the operator sets it. Contents that it refuses stay on this device.
    public func attach(
        _ source: URL, filename: String? = nil
    ) async throws(DatabaseError) -> FileReference {
        try await attach(named: filename ?? source.lastPathComponent) { folder, guid in
            try folder.take(source, as: guid)
        }
    }

    /// Stores contents that are in memory, as ``attach(_:filename:)-(URL,_)`` does with a file.
    /// Throws `failed` if they cannot be written. The same limits apply.
    public func attach(
        _ contents: Data, filename: String
    ) async throws(DatabaseError) -> FileReference {
        try await attach(named: filename) { folder, guid in try folder.take(contents, as: guid) }
    }

    private func attach(
        named filename: String,
        _ take: @Sendable (ContentsFolder, String) throws -> (bytes: Int64, digest: String)
    ) async throws(DatabaseError) -> FileReference {
        let session = try session()
        let guid = freshGuid()
        let taken: (bytes: Int64, digest: String)
        do {
            taken = try take(session.contents, guid)
        } catch {
            throw DatabaseError(error)
        }
        try await session.store.write { db in
            try session.store.store(
                LocalFile(
                    guid: guid, bytes: taken.bytes, digest: taken.digest, state: .waiting), db)
        }
        return FileReference(guid: guid, filename: filename)
    }

    /// The place of the contents of a file on this device, or nil if they are not on it. Throws
    /// `notLoggedIn`.
    public func localContents(of file: FileReference) throws(DatabaseError) -> URL? {
        let folder = try session().contents
        return folder.hasContents(of: file.guid) ? folder.path(of: file.guid) : nil
    }

    /// The place of the contents of a file on this device. Contents that are not on it are
    /// downloaded first; an interrupted download is resumed.
    ///
    /// Throws `unreachable` without a network, and `server` if the user may not read the file.
    public func contents(of file: FileReference) async throws(SyncFailure) -> URL {
        let session = try signedIn()
        if session.contents.hasContents(of: file.guid) {
            return session.contents.path(of: file.guid)
        }
        // One download at a time for each file: later callers find the contents there.
        await mutex.lock(file.guid)
        let result: Result<Void, SyncFailure>
        do {
            if !session.contents.hasContents(of: file.guid) {
                try await transfer(of: session).download(file.guid)
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await mutex.unlock(file.guid)
        try result.get()
        return session.contents.path(of: file.guid)
    }

    /// Deletes the contents of a file from this device; they can be downloaded again. Contents that
    /// are not on the server yet are kept. Throws `notLoggedIn`.
    public func forgetContents(of file: FileReference) async throws(DatabaseError) {
        let session = try session()
        let isOnlyHere = try await session.store.read { db in
            try session.store.file(file.guid, db)?.state == .waiting
        }
        guard !isOnlyHere else { return }
        session.contents.remove(file.guid)
    }

    func signedIn() throws(SyncFailure) -> LocalSession {
        do {
            return try session()
        } catch {
            throw .notLoggedIn
        }
    }

    func transfer(of session: LocalSession) throws(SyncFailure) -> FileTransfer {
        guard let token = session.token else { throw .sessionEnded }
        return FileTransfer(
            wire: wire, environment: environment, token: token, folder: session.contents,
            report: { [weak self] in self?.report($0) })
    }

    /// Uploads the contents of attached files. A sync calls it before it sends records, so that
    /// another device that receives a record can download its files, and again afterwards for files
    /// that the server accepts only once a record names them.
    func uploadFiles(of session: LocalSession) async throws(SyncFailure) {
        let transfer = try transfer(of: session)
        let waiting: [LocalFile]
        do {
            waiting = try await session.store.read { db in
                try session.store.files(.waiting, db)
            }
        } catch {
            throw .database(error)
        }
        for file in waiting {
            guard !Task.isCancelled else { throw .cancelled }
            switch try await transfer.upload(file) {
            case .done: try await note(file, .shared, in: session)
            case .refused: try await note(file, .refused, in: session)
            // A record may name one of the other files already.
            case .tooMany: continue
            }
        }
    }

    private func note(
        _ file: LocalFile, _ state: LocalFile.State, in session: LocalSession
    ) async throws(SyncFailure) {
        do {
            try await session.store.write { db in
                var file = file
                file.state = state
                try session.store.store(file, db)
            }
        } catch {
            throw .database(error)
        }
    }
}
