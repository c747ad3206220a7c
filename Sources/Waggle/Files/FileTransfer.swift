import Foundation
import JSON
import SyncProtocol

/// Uploads and downloads the contents of files in chunks, and resumes interrupted transfers.
struct FileTransfer: Sendable {
    let wire: any Transport
    let environment: String
    let token: String
    let folder: ContentsFolder
    let report: @Sendable (SyncProgress) -> Void

    /// The result of an upload.
    enum Upload: Hashable, Sendable {
        case done
        /// The server will never accept the contents.
        case refused
        /// The server first wants records that name the files it has.
        case tooMany
    }

    /// How often an upload may ask the server again for its offset.
    private static let maxTurns = 5

    func upload(_ file: LocalFile) async throws(SyncFailure) -> Upload {
        // The contents are no longer on the device.
        guard folder.hasContents(of: file.guid) else { return .refused }
        var sent = try await received(of: file)
        var turns = 0
        while turns < Self.maxTurns {
            guard !Task.isCancelled else { throw .cancelled }
            let piece = try translating {
                try folder.piece(of: folder.path(of: file.guid), from: sent)
            }
            let answer = try await send(part(piece, from: sent, of: file))
            switch answer.status {
            case 200, 201: return .done
            case 202:
                sent += Int64(piece.count)
                // Everything was sent, and the server still expects more.
                if piece.isEmpty { turns += 1 }
                report(.uploading(file: file.guid, bytes: sent, of: file.bytes))
            case 403, 409, 413, 422, 429:
                guard case .server(_, let code, _) = SyncFailure(answer) else {
                    throw SyncFailure(answer)
                }
                switch code {
                case "partElsewhere", "uploadOvertaken":
                    sent = try await received(of: file)
                    turns += 1
                case "digestWrong":
                    // Damaged in transit, or on this disk: then the attached contents are lost.
                    guard try isWhole(file) else { return .refused }
                    sent = 0
                    turns += 1
                case "tooManyLooseFiles": return .tooMany
                case "uploadNotAllowed", "fileNotYours", "fileExists", "fileTooLarge":
                    return .refused
                case _: throw SyncFailure(answer)
                }
            case _: throw SyncFailure(answer)
            }
        }
        throw .unexpectedAnswer("the upload of '\(file.guid)' gets nowhere")
    }

    private func isWhole(_ file: LocalFile) throws(SyncFailure) -> Bool {
        try translating { try folder.measure(folder.path(of: file.guid)).digest == file.digest }
    }

    private func part(_ piece: [UInt8], from sent: Int64, of file: LocalFile) -> WireRequest {
        var request = WireRequest(
            method: "PUT", path: path(of: file.guid), token: token, body: piece,
            headers: [
                "Repr-Digest": "sha-256=:\(file.digest):",
                "Content-Type": "application/octet-stream",
            ])
        // Only the completion is missing; an empty file has no range.
        let last = sent + Int64(piece.count) - 1
        let range = piece.isEmpty ? "*" : "\(sent)-\(last)"
        if file.bytes > 0 { request.headers["Content-Range"] = "bytes \(range)/\(file.bytes)" }
        return request
    }

    /// The number of bytes that the server has.
    private func received(of file: LocalFile) async throws(SyncFailure) -> Int64 {
        let answer = try await send(
            WireRequest(method: "GET", path: path(of: file.guid) + "/upload", token: token))
        // The server does not know the file yet.
        guard answer.status != 404 else { return 0 }
        guard answer.status == 200 else { throw SyncFailure(answer) }
        let message = try translating { try decodeMessage(UploadMessage.self, from: answer.body) }
        guard message.size == file.bytes else { return 0 }
        guard (0...file.bytes).contains(message.received) else {
            throw .unexpectedAnswer("of '\(file.guid)' the server has \(message.received) bytes")
        }
        return message.received
    }

    /// Resumes a download and verifies its digest.
    func download(_ guid: String) async throws(SyncFailure) {
        while true {
            guard !Task.isCancelled else { throw .cancelled }
            let start = folder.received(of: guid)
            let end = start + Int64(ContentsFolder.pieceBytes) - 1
            let answer = try await send(
                WireRequest(
                    method: "GET", path: path(of: guid), token: token,
                    headers: ["Range": "bytes=\(start)-\(end)"]))
            switch answer.status {
            case 206:
                try translating { try folder.append(answer.body, to: guid) }
                let total = answer.totalBytes ?? 0
                let now = start + Int64(answer.body.count)
                report(.downloading(file: guid, bytes: now, of: total))
                guard now >= total else {
                    guard !answer.body.isEmpty else {
                        throw .unexpectedAnswer("of '\(guid)' nothing more comes")
                    }
                    continue
                }
            // There are no more bytes: an empty file is sent whole, a range past the end refused.
            case 200: try translating { try folder.append(answer.body, to: guid) }
            case 416: break
            case _: throw SyncFailure(answer)
            }
            return try translating { try check(guid, is: answer.headers["repr-digest"]) }
        }
    }

    private func check(_ guid: String, is digest: String?) throws {
        if folder.received(of: guid) == 0 { try folder.append([], to: guid) }
        let found = try folder.measure(folder.partPath(of: guid)).digest
        guard digest == nil || digest == "sha-256=:\(found):" else {
            folder.dropPart(of: guid)
            throw SyncFailure.unexpectedAnswer("the contents of '\(guid)' are not what they were")
        }
        try folder.finish(guid)
    }

    private func path(of guid: String) -> String { "v1/\(environment)/files/\(guid)" }

    private func send(_ request: WireRequest) async throws(SyncFailure) -> WireAnswer {
        do {
            return try await wire.send(request)
        } catch {
            throw Task.isCancelled ? .cancelled : SyncFailure(error)
        }
    }

    private func translating<Result>(
        _ body: () throws -> Result
    ) throws(SyncFailure) -> Result {
        do {
            return try body()
        } catch let failure as SyncFailure {
            throw failure
        } catch {
            throw .database(DatabaseError(error))
        }
    }
}

extension WireAnswer {
    /// The total of a `Content-Range`: 1000 in `bytes 0-99/1000`.
    fileprivate var totalBytes: Int64? {
        headers["content-range"]?.split(separator: "/").last.flatMap { Int64($0) }
    }
}
