import FileExchange
import Foundation
import Secrets
import SyncEngine
import SyncServer
import SystemFiles
import WholeRecordSync

/// Moves files between archives and the engine.
extension OriginalRoutes {
    /// Imports the files of an archive that the records name. Returns a message for each refused
    /// file, by its guid.
    func ingestFiles(
        of records: [FullRecord], _ archive: SentArchive, from caller: Caller,
        in transfer: Transfer, _ exchange: Exchange
    ) async throws -> [String: String] {
        var refused: [String: String] = [:]
        for guid in archive.files(among: Set(records.flatMap(\.files)).sorted()) {
            let path = transfer.path(of: freshGuid())
            let file = try await onDisk { try archive.unpack(guid, to: path) }
            if let refusal = try await refusal(of: file, as: guid, from: caller, exchange) {
                let failure = HTTPFailure(.file(refusal))
                refused[guid] = "file \(guid): \(failure.sentence); \(failure.help)"
            }
            try await onDisk { try FileManager.default.removeItem(atPath: path) }
        }
        return refused
    }

    /// Nil if the file was imported, or exists already with the same contents.
    private func refusal(
        of file: UnpackedFile, as guid: String, from caller: Caller, _ exchange: Exchange
    ) async throws -> FileRefusal? {
        do {
            try await ingest(file, as: guid, from: caller, exchange)
            return nil
        } catch SyncError.file(let refusal) {
            let present = try await visibleFile(guid, for: caller, exchange)
            return present?.contents == file.contents ? nil : refusal
        }
    }

    private func ingest(
        _ file: UnpackedFile, as guid: String, from caller: Caller, _ exchange: Exchange
    ) async throws {
        guard let part = UploadPart(first: 0, count: file.size, total: file.size) else {
            throw SyncError.store(.failed("'\(file.path)' has \(file.size) bytes"))
        }
        let wanted = UploadRequest(
            guid: guid, contents: file.contents, part: part, freshID: freshGuid())
        switch try await exchange.environment.files.begin(wanted, by: caller, at: exchange.now) {
        case .isThere: return
        case .open(let opened):
            var offset: Int64 = 0
            while offset < file.size {
                let place = offset
                let bytes = try await onDisk {
                    try SystemFile(reading: file.path).bytes(chunkBytes, at: place)
                }
                guard !bytes.isEmpty else {
                    throw SyncError.store(.failed("'\(file.path)' became shorter"))
                }
                try await opened.append(bytes)
                offset += Int64(bytes.count)
            }
            _ = try await exchange.environment.files.finish(opened, by: caller, at: exchange.now)
        }
    }

    /// Copies files that the caller may see and whose contents exist into a transfer, named by
    /// their guids. Returns the guids of the copied files.
    func copy(
        _ guids: [String], for caller: Caller, to transfer: Transfer, _ exchange: Exchange
    ) async throws -> [String] {
        var copied: [String] = []
        for guid in guids {
            guard let file = try await visibleFile(guid, for: caller, exchange) else { continue }
            let path = transfer.path(of: guid)
            let target = try await onDisk { try SystemFile(creating: path) }
            var offset: Int64 = 0
            while offset < file.size {
                let bytes = try await file.read(chunkBytes, at: offset)
                let place = offset
                try await onDisk { try target.write(bytes, at: place) }
                offset += Int64(bytes.count)
            }
            copied.append(guid)
        }
        return copied
    }

    private func visibleFile(
        _ guid: String, for caller: Caller, _ exchange: Exchange
    ) async throws(SyncError) -> OpenedFile? {
        do {
            return try await exchange.environment.files.open(guid, for: caller)
        } catch {
            // The caller may not see the file, or its contents have not arrived yet.
            guard case .file = error else { throw error }
            return nil
        }
    }
}
