import AccessPolicy
import ChangeRules
import DefinitionModel

/// That somebody wants to send contents, or a part of them.
package struct UploadRequest: Hashable, Sendable {
    package let guid: String
    /// What all of them must turn out to have.
    package let contents: ContentHash
    package let part: UploadPart
    /// For an upload that begins: a name that none has or had.
    package let freshID: String

    package init(guid: String, contents: ContentHash, part: UploadPart, freshID: String) {
        self.guid = guid
        self.contents = contents
        self.part = part
        self.freshID = freshID
    }
}

/// Where the bytes of a request belong, in bytes. It lies within the file.
package struct UploadPart: Hashable, Sendable {
    /// Whoever sends from 0 begins anew. Nil is wherever the upload has got to.
    package let first: Int64?
    package let count: Int64
    /// Of the whole file.
    package let total: Int64

    /// Nil for one that does not lie within the file.
    package init?(first: Int64?, count: Int64, total: Int64) {
        guard 0...Int64.max ~= total, 0...total ~= first ?? 0,
            0...(total - (first ?? 0)) ~= count
        else { return nil }
        self.first = first
        self.count = count
        self.total = total
    }
}

/// What becomes of a request to upload.
package enum UploadStart: Sendable {
    /// The file has these contents already: there is nothing to send.
    case isThere(UploadState)
    case open(OpenedUpload)
}

/// An upload that takes bytes.
package struct OpenedUpload: Sendable {
    let guid: String
    let upload: StoredUpload
    let file: any PartialFile

    package func append(_ bytes: [UInt8]) async throws(SyncError) {
        let isAdded: Bool
        do {
            isAdded = try await file.append(bytes)
        } catch {
            throw .store(error)
        }
        guard isAdded else { throw .file(.overtaken) }
    }
}

extension FileEngine {
    /// Looks whether somebody may upload this, and opens it. To be followed by the bytes of the
    /// part, and by `finish`.
    package func begin(
        _ request: UploadRequest, by caller: Caller, at now: Instant
    ) async throws(SyncError) -> UploadStart {
        guard isGuid(request.guid) else { throw .file(.guidIllegal) }
        try checkMayUpload(caller)
        var decision = try await decide(request, by: caller, at: now, contentsAreLost: false)
        if case .isThere(_, let upload) = decision, try await isLost(upload) {
            decision = try await decide(request, by: caller, at: now, contentsAreLost: true)
        }
        switch decision {
        case .isThere(_, let upload):
            return .isThere(UploadState(guid: request.guid, upload, received: upload.size))
        case .begins(_, let upload, let void):
            if let void { try await discard(void) }
            return .open(try await opened(upload, for: request, at: 0))
        case .goesOn(_, let upload):
            return .open(try await opened(upload, for: request, at: request.part.first))
        }
    }

    /// Keeps what has come, and when that is everything looks whether it is what it was said to be
    /// and makes it the file's contents.
    package func finish(
        _ opened: OpenedUpload, by caller: Caller, at now: Instant
    ) async throws(SyncError) -> UploadState {
        try checkMayUpload(caller)
        let (guid, upload) = (opened.guid, opened.upload)
        let received = await opened.file.received
        guard received == upload.size else {
            try await engine.reading { () async throws(StoreError) in
                try await opened.file.synchronize()
            }
            return UploadState(guid: guid, upload, received: received)
        }
        let contents = try await engine.reading { () async throws(StoreError) in
            try await opened.file.contents()
        }
        guard contents == upload.contents else {
            try await discard(upload.id)
            throw .file(.digestWrong)
        }
        guard let whole = try await shelved(opened, by: caller.asker.login, at: now) else {
            throw .file(.overtaken)
        }
        return UploadState(guid: guid, whole, received: whole.size)
    }

    private func decide(
        _ request: UploadRequest, by caller: Caller, at now: Instant, contentsAreLost: Bool
    ) async throws(SyncError) -> UploadDecision {
        let (login, limits) = (caller.asker.login, engine.limits)
        let result = try await engine.reading { () async throws(StoreError) in
            try await ledger.changeFile(request.guid, of: login, in: engine.environment) { state in
                let decision = decideUpload(
                    request, by: login, at: now, on: state, contentsAreLost: contentsAreLost,
                    limits: limits)
                return (decision.file, decision)
            }
        }
        switch result {
        case .success(let decision): return decision
        case .failure(let refusal): throw .file(refusal)
        }
    }

    /// At an offset that is where it has got to; nil is that wherever it is.
    private func opened(
        _ upload: StoredUpload, for request: UploadRequest, at offset: Int64?
    ) async throws(SyncError) -> OpenedUpload {
        let file = try await engine.reading { () async throws(StoreError) in
            try await vault.open(upload: upload.id)
        }
        let received = await file.received
        guard offset ?? received == received, received + request.part.count <= upload.size else {
            throw .file(.partElsewhere(received: received))
        }
        return OpenedUpload(guid: request.guid, upload: upload, file: file)
    }

    /// Nil when the file waits for another upload by now, or for none.
    private func shelved(
        _ opened: OpenedUpload, by login: String, at now: Instant
    ) async throws(SyncError) -> StoredUpload? {
        let (guid, upload) = (opened.guid, opened.upload)
        let noted: StoredUpload?? = try await engine.reading { () async throws(StoreError) in
            try await vault.shelve(upload: upload.id, as: upload.contents) {
                () async throws(StoreError) in
                try await ledger.changeFile(guid, of: login, in: engine.environment) { state in
                    guard var file = state.file, var present = file.upload,
                        present.id == upload.id, file.login.hasSameBytes(as: login)
                    else { return (nil, nil) }
                    present.isComplete = true
                    file.upload = present
                    file.at = now
                    return (file, present)
                }
            }
        }
        return noted ?? nil
    }

    private func isLost(_ upload: StoredUpload) async throws(SyncError) -> Bool {
        try await engine.reading { () async throws(StoreError) in
            try await vault.open(upload.contents, size: upload.size) == nil
        }
    }

    private func discard(_ upload: String) async throws(SyncError) {
        try await engine.reading { () async throws(StoreError) in
            try await vault.discard(upload: upload)
        }
    }

    /// Whose role may create or update some field that holds a file, in a record of their own.
    private func checkMayUpload(_ caller: Caller) throws(SyncError) {
        let asker = caller.asker
        let book = engine.rules.book
        let isAllowed = book.definition.models.contains { model in
            model.fields.contains { field in
                field.type == .file
                    && [Operation.create, .update].contains {
                        book.allows(
                            $0, field: field.name, of: model.name, on: asker.ownership, by: asker)
                    }
            }
        }
        guard isAllowed else { throw .file(.uploadNotAllowed) }
    }
}
