import Archives
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Secrets
import SourceGenerator
import SyncServer

/// A response with files in a folder, as a ZIP archive to save.
func archive(
    of drafts: [SourceDraft], in folder: String, named name: String
) throws -> Response {
    let bytes = try zipped(drafts, in: folder)
    return Response(
        status: .ok,
        headers: [
            .contentType: "application/zip", .cacheControl: "no-store",
            .xContentTypeOptions: "nosniff",
            .contentDisposition: "attachment; filename=\"\(name)\"",
        ],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
}

/// Writes the archive to a temporary file, which only its writer can open, and reads it.
private func zipped(_ drafts: [SourceDraft], in folder: String) throws -> [UInt8] {
    let place = FileManager.default.temporaryDirectory
        .appending(path: "waggle-\(freshGuid()).zip")
    defer { try? FileManager.default.removeItem(at: place) }
    let writer = try ArchiveWriter(
        path: place.path, modifiedSeconds: Int64(Date().timeIntervalSince1970))
    for draft in drafts {
        try writer.add(path: "\(folder)/\(draft.path)", bytes: Array(draft.text.utf8))
    }
    try writer.finish()
    return Array(try Data(contentsOf: place))
}
