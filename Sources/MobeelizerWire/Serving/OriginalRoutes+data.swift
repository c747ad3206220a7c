import Archives
import ChangeRules
import Foundation
import HTTPTypes
import Hummingbird
import JSON
import NIOCore
import SyncEngine
import SyncServer
import WholeRecordSync

/// Downloads: everything new for a client in one archive.
extension OriginalRoutes {
    @Sendable func data(
        _ exchange: Exchange, _ client: SignedInClient
    ) async throws -> Response {
        let ticket = try parameter("ticket", of: exchange.request)
        try exchange.host.uploads.enter(client.caller.login, in: exchange.environment)
        defer { exchange.host.uploads.leave(client.caller.login, in: exchange.environment) }
        let transfer = try await folder.makeTransfer()
        let lines = try LineFile(creating: transfer.path(of: SentArchive.recordsName))
        try await exchange.environment.tickets.deliver(ticket, to: client.caller) { page in
            try await lines.append(page, through: client.mapping)
        }
        let files = try await copy(await lines.files, for: client.caller, to: transfer, exchange)
        return try await archive(files, in: transfer, exchange)
    }

    /// Creates an archive of a transfer's lines and some of its files.
    func archive(
        _ files: [String], in transfer: Transfer, _ exchange: Exchange
    ) async throws -> Response {
        try exchange.context.streamAnswer()
        let path = transfer.path(of: "archive.zip")
        let seconds = exchange.now.milliseconds / 1000
        let lines = transfer.path(of: SentArchive.recordsName)
        let count = try await onDisk {
            let writer = try ArchiveWriter(path: path, modifiedSeconds: seconds)
            try writer.add(SentArchive.recordsName, contentsOfFile: lines)
            try writer.add(SentArchive.deletedFilesName, bytes: [])
            for guid in files {
                try writer.add(guid, contentsOfFile: transfer.path(of: guid))
            }
            try writer.finish()
            return try SystemFile(reading: path).size()
        }
        return Response(
            status: .ok,
            headers: [.contentType: "application/zip", .cacheControl: "no-store"],
            body: body(of: path, in: transfer, count: count, exchange.context))
    }

    /// Keeps the transfer until the body is sent. If reading fails, the connection is closed, so
    /// that the client notices the incomplete body.
    private func body(
        of path: String, in transfer: Transfer, count: Int64, _ context: ConnectionContext
    ) -> ResponseBody {
        ResponseBody(contentLength: Int(count)) { writer in
            defer { withExtendedLifetime(transfer) {} }
            var offset: Int64 = 0
            while offset < count {
                let place = offset
                let bytes = try await onDisk {
                    try SystemFile(reading: path).bytes(chunkBytes, at: place)
                }
                guard !bytes.isEmpty else {
                    throw SyncError.store(.failed("'\(path)' became shorter"))
                }
                try await writer.write(ByteBuffer(bytes: bytes))
                try await context.pace()
                offset += Int64(bytes.count)
            }
            try await writer.finish(nil)
        }
    }
}

/// The lines for a client, written to a file, and the guids of the files that they name.
actor LineFile {
    private let file: SystemFile
    private var size: Int64 = 0
    private var known: Set<String> = []
    /// In the order of their first occurrence.
    private(set) var files: [String] = []

    init(creating path: String) throws {
        file = try SystemFile(creating: path)
    }

    func append(_ page: DeliveredPage, through mapping: SchemaMapping) async throws {
        let records = page.records.compactMap { DeliveredLine($0, through: mapping) }
        let dropped = page.dropped.compactMap { DeliveredLine($0, through: mapping) }
        try await append(try (records + dropped).flatMap { try $0.bytes() })
        for guid in page.records.flatMap({ $0.view.fileGuids(through: mapping) })
        where known.insert(guid).inserted {
            files.append(guid)
        }
    }

    func append(_ bytes: [UInt8]) async throws {
        let (file, offset) = (file, size)
        size += Int64(bytes.count)
        try await onDisk { try file.write(bytes, at: offset) }
    }
}

extension RecordView {
    /// The files in fields that the client knows; none for a deleted record.
    fileprivate func fileGuids(through mapping: SchemaMapping) -> [String] {
        guard !isDeleted, let model = mapping.model(model) else { return [] }
        return (fields ?? [:]).compactMap { name, value in
            guard model.isFile(name), case .object(let file) = value,
                case .string(let guid)? = file["guid"]
            else { return nil }
            return guid
        }
    }
}
