import Archives
import ChangeRules
import Foundation
import HTTPTypes
import Hummingbird
import JSON
import NIOCore
import SyncEngine
import SyncServer
import SystemFiles
import WholeRecordSync

/// Downloads: everything new for a client in one archive.
extension OriginalRoutes {
    @Sendable func data(
        _ exchange: Exchange, _ client: SignedInClient
    ) async throws -> Response {
        let ticket = try parameter("ticket", of: exchange.request)
        let transfer = try await makeTransfer(for: client.caller, exchange)
        let lines = try LineFile(
            creating: transfer.path(of: SentArchive.recordsName), on: exchange.host.disk)
        let mapping = client.mapping
        let tickets = exchange.environment.tickets.taking(exchange.turns(for: client.caller))
        var files = DeliveredFiles(in: transfer, limits: limits)
        try await tickets.deliver(
            ticket, to: client.caller, naming: { $0.fileGuids(through: mapping) },
            taking: { page in
                try exchange.checkGoesOn()
                try await take(page, into: &files, lines, for: client, exchange)
            })
        let gone = try await finish(&files, lines, with: ticket, for: client, exchange)
        return try await archive(
            files.copied, without: gone, in: transfer, for: client.caller, exchange)
    }

    /// Makes a transfer that counts among the uploads of its user until it is removed, which is
    /// after its archive was sent. Throws `tooManyUploads`.
    func makeTransfer(for caller: Caller, _ exchange: Exchange) async throws -> Transfer {
        let permit = try UploadPermit(
            of: caller.login, in: exchange.environment, exchange.host.uploads)
        return try await folder.makeTransfer(on: exchange.host.disk, counting: permit)
    }

    /// Creates an archive of a transfer's lines and some of its files, which tells the client to
    /// delete others.
    func archive(
        _ files: [String], without gone: [String] = [], in transfer: Transfer, for caller: Caller,
        _ exchange: Exchange
    ) async throws -> Response {
        try exchange.context.streamAnswer()
        let path = transfer.path(of: "archive.zip")
        let seconds = exchange.now.milliseconds / 1000
        let lines = transfer.path(of: SentArchive.recordsName)
        let goneLines = Array(gone.map { "\($0)\n" }.joined().utf8)
        let count = try await exchange.compute(for: caller) {
            let writer = try ArchiveWriter(path: path, modifiedSeconds: seconds)
            try writer.add(SentArchive.recordsName, contentsOfFile: lines)
            try writer.add(SentArchive.deletedFilesName, bytes: goneLines)
            for guid in files {
                try writer.add(guid, contentsOfFile: transfer.path(of: guid))
            }
            try writer.finish()
            // The archive has their contents.
            for name in files + [SentArchive.recordsName] {
                try FileManager.default.removeItem(atPath: transfer.path(of: name))
            }
            return try SystemFile(reading: path).size()
        }
        return Response(
            status: .ok,
            headers: [.contentType: "application/zip", .cacheControl: "no-store"],
            body: body(of: path, in: transfer, count: count, exchange))
    }

    /// Keeps the transfer until the body is sent. If reading fails, the connection is closed, so
    /// that the client notices the incomplete body.
    private func body(
        of path: String, in transfer: Transfer, count: Int64, _ exchange: Exchange
    ) -> ResponseBody {
        let (disk, context) = (exchange.host.disk, exchange.context)
        return ResponseBody(contentLength: Int(count)) { writer in
            defer { withExtendedLifetime(transfer) {} }
            var offset: Int64 = 0
            while offset < count {
                let place = offset
                let bytes = try await disk.run {
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

/// The lines for a client, written to a file.
actor LineFile {
    private let file: SystemFile
    private let disk: DiskThreads
    private var size: Int64 = 0

    init(creating path: String, on disk: DiskThreads) throws {
        file = try SystemFile(creating: path)
        self.disk = disk
    }

    /// - Parameter missing: The files that do not come with the records which name them.
    func append(
        _ page: DeliveredPage, withholding missing: [FileOnDevice], through mapping: SchemaMapping
    ) async throws {
        let withheld = Dictionary(grouping: missing, by: \.record).mapValues { Set($0.map(\.file)) }
        let records = page.records.compactMap { record in
            DeliveredLine(
                record, through: mapping, withholding: withheld[record.view.guid] ?? [])
        }
        let dropped = page.dropped.compactMap { DeliveredLine($0, through: mapping) }
        try await append(try (records + dropped).flatMap { try $0.bytes() })
    }

    func append(_ bytes: [UInt8]) async throws {
        let (file, offset) = (file, size)
        size += Int64(bytes.count)
        try await disk.run { try file.write(bytes, at: offset) }
    }
}

extension RecordView {
    /// The files in fields that the client knows; none for a deleted record.
    func fileGuids(through mapping: SchemaMapping) -> [String] {
        guard !isDeleted, let model = mapping.model(model) else { return [] }
        return (fields ?? [:]).compactMap { name, value in
            model.isFile(name) ? value.guidOfFile : nil
        }
    }
}
