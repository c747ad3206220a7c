import AccessPolicy
import DefinitionModel

/// Serves the contents of an environment's files, which `Engine` only knows by their guids.
///
/// A file belongs to whoever spoke of it first, by uploading it or by naming it in a record that
/// was accepted. Its contents come from them alone and never change. It is shown to whoever is
/// shown a record's field with its guid, and to its owner while no record names it. Therefore
/// nobody else may name it who is not shown it: see `BatchState.mayName`.
package struct FileEngine: Sendable {
    let engine: Engine
    let ledger: any FileLedger
    let vault: any Vault

    /// `ledger` is the engine's own store.
    package init(engine: Engine, ledger: any FileLedger, vault: any Vault) {
        self.engine = engine
        self.ledger = ledger
        self.vault = vault
    }

    /// The contents, for whoever may see them. For others there is no such file.
    package func open(
        _ guid: String, for caller: Caller
    ) async throws(SyncError) -> OpenedFile {
        guard let known = try await file(guid, for: caller), try isShown(known, to: caller) else {
            throw .file(.unknown)
        }
        guard let upload = known.file.upload, upload.isComplete else { throw .file(.awaited) }
        let file = try await engine.reading { () async throws(StoreError) in
            try await vault.open(upload.contents, size: upload.size)
        }
        // A loose file may have been swept away just now.
        guard let file else { throw .file(known.file.isNamed ? .lost(upload.contents) : .unknown) }
        return OpenedFile(contents: upload.contents, size: upload.size, file: file)
    }

    /// How far the contents have come, for whom they have to come from.
    package func upload(
        of guid: String, for caller: Caller
    ) async throws(SyncError) -> UploadState {
        let known = try await file(guid, for: caller)
        guard let file = known?.file, file.login.hasSameBytes(as: caller.asker.login) else {
            throw .file(.unknown)
        }
        guard let upload = file.upload else {
            return UploadState(guid: guid, isComplete: false, received: 0)
        }
        return upload.isComplete
            ? UploadState(guid: guid, upload, received: upload.size)
            : UploadState(guid: guid, upload, received: try await received(of: upload))
    }

    private func received(of upload: StoredUpload) async throws(SyncError) -> Int64 {
        try await engine.reading { () async throws(StoreError) in
            try await vault.received(of: upload.id)
        }
    }

    private func file(
        _ guid: String, for caller: Caller
    ) async throws(SyncError) -> KnownFile? {
        guard isGuid(guid) else { return nil }
        let request = FileRequest(
            environment: engine.environment, guid: guid, login: caller.asker.login,
            group: caller.asker.group, limit: engine.limits.namingRecords)
        let (known, fingerprint) = try await engine.reading { () async throws(StoreError) in
            try await ledger.file(request)
        }
        try engine.checkIsCurrent(fingerprint)
        return known
    }

    private func isShown(_ known: KnownFile, to caller: Caller) throws(SyncError) -> Bool {
        let file = known.file
        if !file.isNamed { return file.login.hasSameBytes(as: caller.asker.login) }
        let gate = Gate(rules: engine.rules, asker: caller.asker)
        do {
            return try gate.shows(file.guid, inAnyOf: known.namedBy)
        } catch {
            throw .store(error)
        }
    }
}

extension Caller {
    package var login: String { asker.login }
    package var roleName: String { asker.role.name }
}

/// Contents that may be read.
package struct OpenedFile: Sendable {
    package let contents: ContentHash
    /// In bytes.
    package let size: Int64
    let file: any WholeFile

    /// Fewer bytes only at the end.
    package func read(_ count: Int, at offset: Int64) async throws(SyncError) -> [UInt8] {
        let bytes: [UInt8]
        do {
            bytes = try await file.read(count, at: offset)
        } catch {
            throw .store(error)
        }
        guard !bytes.isEmpty || offset == size else {
            throw .store(.unreadable("the contents \(contents.hex) became shorter"))
        }
        return bytes
    }
}

/// How far the contents of a file have come.
package struct UploadState: Hashable, Sendable {
    package let guid: String
    /// Whether all of them are there, with the hash that was announced.
    package let isComplete: Bool
    /// Bytes that are there.
    package let received: Int64
    /// The size of the whole file, in bytes; nil before anybody has begun to send it.
    package let size: Int64?

    init(guid: String, isComplete: Bool, received: Int64, size: Int64? = nil) {
        self.guid = guid
        self.isComplete = isComplete
        self.received = received
        self.size = size
    }

    init(guid: String, _ upload: StoredUpload, received: Int64) {
        self.init(
            guid: guid, isComplete: upload.isComplete, received: received, size: upload.size)
    }
}
