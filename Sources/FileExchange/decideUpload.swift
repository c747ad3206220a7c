import DefinitionModel
import SyncEngine

/// The decision on an upload.
enum UploadDecision: Hashable {
    /// The file already has these contents. The time in which a record must name it starts again,
    /// as for a new upload.
    case isThere(StoredFile, StoredUpload)
    /// The upload starts from the first byte; an earlier upload, if any, is discarded.
    case begins(StoredFile, StoredUpload, voiding: String?)
    case goesOn(StoredFile, StoredUpload)
}

extension Result<UploadDecision, FileRefusal> {
    /// The file to write; nil if nothing changes.
    var file: StoredFile? {
        switch self {
        case .failure: nil
        // The time of a named file has no effect.
        case .success(.isThere(let file, _)): file.isNamed ? nil : file
        case .success(.begins(let file, _, _)), .success(.goesOn(let file, _)): file
        }
    }
}

/// Decides an upload that its author's role allows. The function is pure.
///
/// `contentsAreLost` is true if the contents should be in the blob store but are missing: then they
/// may be uploaded again.
func decideUpload(
    _ request: UploadRequest, by login: String, at now: Instant, on state: FileState,
    contentsAreLost: Bool, limits: Limits
) -> Result<UploadDecision, FileRefusal> {
    guard request.part.total <= limits.fileBytes else {
        return .failure(.tooLarge(maxBytes: limits.fileBytes))
    }
    guard state.file?.login.hasSameBytes(as: login) ?? true else { return .failure(.notYours) }
    let present = state.file?.upload
    if var file = state.file, let present, present.isComplete {
        guard present.isOf(request) else { return .failure(.exists) }
        file.at = now
        if !contentsAreLost { return .success(.isThere(file, present)) }
    }
    guard request.part.first != 0 else {
        return begin(request, by: login, at: now, on: state, limits)
    }
    guard var file = state.file, let present, present.isOf(request), !present.isComplete else {
        return .failure(.partElsewhere(received: 0))
    }
    file.at = now
    return .success(.goesOn(file, present))
}

private func begin(
    _ request: UploadRequest, by login: String, at now: Instant, on state: FileState,
    _ limits: Limits
) -> Result<UploadDecision, FileRefusal> {
    let isNamed = state.file?.isNamed ?? false
    let fits =
        state.loose.count < limits.looseFiles
        && state.loose.bytes + request.part.total <= limits.looseFileBytes
    guard isNamed || fits else {
        return .failure(
            .tooManyLoose(max: limits.looseFiles, maxBytes: limits.looseFileBytes))
    }
    let upload = StoredUpload(
        id: request.freshID, contents: request.contents, size: request.part.total,
        isComplete: false)
    let file = StoredFile(
        guid: request.guid, login: login, at: now, isNamed: isNamed, upload: upload)
    return .success(.begins(file, upload, voiding: state.file?.upload?.id))
}

extension StoredUpload {
    fileprivate func isOf(_ request: UploadRequest) -> Bool {
        contents == request.contents && size == request.part.total
    }
}
