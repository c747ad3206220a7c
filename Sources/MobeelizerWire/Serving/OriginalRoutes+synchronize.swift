import HTTPTypes
import Hummingbird
import Logging
import Secrets
import SyncEngine
import SyncServer
import WholeRecordSync

/// Uploads: all changes of a client in one archive.
extension OriginalRoutes {
    @Sendable func synchronize(
        _ exchange: Exchange, _ client: SignedInClient
    ) async throws -> Response {
        let (uploads, login) = (exchange.host.uploads, client.caller.login)
        try uploads.enter(login, in: exchange.environment)
        defer { uploads.leave(login, in: exchange.environment) }
        let transfer = try await folder.makeTransfer()
        try await receive(exchange, into: transfer)
        // The records that are already imported no longer differ, so the import can be repeated.
        return .text(
            try await exchange.repeating { exchange in
                try await ticket(for: transfer, from: client.identity, exchange)
            })
    }

    private func receive(_ exchange: Exchange, into transfer: Transfer) async throws {
        let receiver = try ArchiveReceiver(
            contentType: exchange.request.headers[.contentType] ?? "",
            file: transfer.path(of: Self.archiveName), maxBytes: limits.archiveBytes)
        try await exchange.streamBody { chunk in try await receiver.take(chunk) }
        try await receiver.finish()
    }

    /// Imports the archive.
    private func ticket(
        for transfer: Transfer, from identity: ClientIdentity, _ exchange: Exchange
    ) async throws -> String {
        let client = try await client(identity, exchange)
        let (limits, mapping) = (limits, client.mapping)
        let path = transfer.path(of: Self.archiveName)
        let lines = transfer.path(of: freshGuid())
        let archive = try await onDisk {
            try SentArchive(at: path, lines: lines, through: mapping, limits: limits)
        }
        try exchange.context.hold(archive.heldBytes)
        let errors = try await ingest(archive, from: client, in: transfer, exchange)
        exchange.logger.info(
            "synchronized",
            metadata: [
                "records": "\(archive.recordCount)", "mistakes": "\(errors.count)",
            ])
        return try await openTicket(
            startsOver: false, rejection: errors.rejection(of: archive.recordCount),
            for: try await caller(client.identity, exchange), exchange)
    }

    /// Imports everything valid, and collects errors for the rest. Each batch is checked against
    /// the rights at its time.
    private func ingest(
        _ archive: SentArchive, from client: SignedInClient, in transfer: Transfer,
        _ exchange: Exchange
    ) async throws -> ImportErrors {
        var errors = archive.errors
        for batch in archive.batches(upTo: BatchLoad(exchange.engine.limits)) {
            let records = try await onDisk { try archive.records(of: batch) }
            let caller = try await caller(client.identity, exchange)
            let refused = try await ingestFiles(
                of: records, archive, from: caller, in: transfer, exchange)
            for message in refused.values.sorted() { errors.add(message) }
            let sound = records.filter { record in
                record.files.allSatisfy { refused[$0] == nil }
            }
            let outcomes = try await exchange.environment.tickets.push(
                sound, from: caller, at: exchange.now)
            for outcome in outcomes { errors.add(outcome, through: client.mapping) }
        }
        return errors
    }

    private static let archiveName = "archive"
}

extension BatchLoad {
    /// Until their batch is imported, its files count as unreferenced files of the user. A batch
    /// may therefore use half of the limits for these.
    init(_ limits: Limits) {
        self.init(
            records: limits.changes, bytes: 4 << 20, files: limits.looseFiles / 2,
            fileBytes: limits.looseFileBytes / 2)
    }
}
