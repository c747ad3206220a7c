import AccessPolicy
import ChangeRules
import DefinitionModel
package import SyncEngine

/// A request to upload a file or a part of it.
package struct UploadRequest: Hashable, Sendable {
    package let guid: String
    /// The hash that the complete file must have.
    package let contents: ContentHash
    package let part: UploadPart
    /// An unused id for the upload if it has to be created.
    package let freshID: String

    package init(guid: String, contents: ContentHash, part: UploadPart, freshID: String) {
        self.guid = guid
        self.contents = contents
        self.part = part
        self.freshID = freshID
    }
}

/// The range of a file, in bytes, that a request sends. It lies within the file.
package struct UploadPart: Hashable, Sendable {
    /// The offset of the first byte. 0 starts over; nil continues wherever the upload stands.
    package let first: Int64?
    package let count: Int64
    /// The size of the whole file, in bytes.
    package let total: Int64

    /// Returns nil if the range does not lie within the file.
    package init?(first: Int64?, count: Int64, total: Int64) {
        guard 0...Int64.max ~= total, 0...total ~= first ?? 0,
            0...(total - (first ?? 0)) ~= count
        else { return nil }
        self.first = first
        self.count = count
        self.total = total
    }
}

/// The result of starting an upload request.
package enum UploadStart: Sendable {
    /// The file already has this content, so nothing needs to be sent.
    case isThere(UploadState)
    case open(OpenedUpload)
}

/// An upload that accepts bytes.
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
    /// Checks whether the caller may upload the file, and opens the upload. Then append the bytes
    /// of the part and call `finish`.
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

    /// Stores the received bytes. If the upload is complete, it verifies the hash and makes the
    /// upload the content of the file. Throws `FileRefusal.digestWrong` if the hash differs.
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
        guard let whole = try await committed(opened, by: caller.asker.login, at: now) else {
            throw .file(.overtaken)
        }
        return UploadState(guid: guid, whole, received: whole.size)
    }

    private func decide(
        _ request: UploadRequest, by caller: Caller, at now: Instant, contentsAreLost: Bool
    ) async throws(SyncError) -> UploadDecision {
        let (login, limits) = (caller.asker.login, engine.limits)
        let result = try await engine.reading { () async throws(StoreError) in
            try await store.changeFile(request.guid, of: login, in: engine.environment) { state in
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

    /// Opens the upload. Throws if `offset` is not the number of bytes received so far; nil accepts
    /// any offset.
    private func opened(
        _ upload: StoredUpload, for request: UploadRequest, at offset: Int64?
    ) async throws(SyncError) -> OpenedUpload {
        let file = try await engine.reading { () async throws(StoreError) in
            try await blobs.open(upload: upload.id)
        }
        let received = await file.received
        guard offset ?? received == received, received + request.part.count <= upload.size else {
            throw .file(.partElsewhere(received: received))
        }
        return OpenedUpload(guid: request.guid, upload: upload, file: file)
    }

    /// Returns nil if the file no longer waits for this upload.
    private func committed(
        _ opened: OpenedUpload, by login: String, at now: Instant
    ) async throws(SyncError) -> StoredUpload? {
        let (guid, upload) = (opened.guid, opened.upload)
        let noted: StoredUpload?? = try await engine.reading { () async throws(StoreError) in
            try await blobs.commitUpload(upload: upload.id, as: upload.contents) {
                () async throws(StoreError) in
                try await store.changeFile(guid, of: login, in: engine.environment) { state in
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
            try await blobs.open(upload.contents, size: upload.size) == nil
        }
    }

    private func discard(_ upload: String) async throws(SyncError) {
        try await engine.reading { () async throws(StoreError) in
            try await blobs.discard(upload: upload)
        }
    }

    /// Checks that the caller's role may create or update a file field in an own record.
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
