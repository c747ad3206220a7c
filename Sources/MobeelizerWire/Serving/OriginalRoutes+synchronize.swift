import HTTPTypes
import Hummingbird
import Logging
import Secrets
import SyncEngine
import SyncServer

/// Takes in everything that a client has changed, in one archive.
extension OriginalRoutes {
    @Sendable func synchronize(
        _ exchange: Exchange, _ client: SignedInClient
    ) async throws -> Response {
        let (uploads, login) = (exchange.host.uploads, client.caller.login)
        try uploads.enter(login, in: exchange.environment)
        defer { uploads.leave(login, in: exchange.environment) }
        let transfer = try await folder.makeTransfer()
        try await receive(exchange, into: transfer)
        // Records that were taken in before differ no more, so all of it may be repeated.
        return .text(
            try await exchange.repeating { exchange in
                try await ticket(for: transfer, from: client.identity, exchange)
            })
    }

    private func receive(_ exchange: Exchange, into transfer: Transfer) async throws {
        let receipt = try ArchiveReceipt(
            contentType: exchange.request.headers[.contentType] ?? "",
            file: transfer.path(of: Self.archiveName), maxBytes: limits.archiveBytes)
        try await exchange.streamBody { piece in try await receipt.take(piece) }
        try await receipt.finish()
    }

    /// Takes in what was received.
    private func ticket(
        for transfer: Transfer, from identity: ClientIdentity, _ exchange: Exchange
    ) async throws -> String {
        let client = try await client(identity, exchange)
        let (limits, lens) = (limits, client.lens)
        let path = transfer.path(of: Self.archiveName)
        let lines = transfer.path(of: freshGuid())
        let archive = try await onDisk {
            try SentArchive(at: path, lines: lines, through: lens, limits: limits)
        }
        let mistakes = try await takeIn(archive, from: client, in: transfer, exchange)
        exchange.logger.info(
            "synchronized",
            metadata: [
                "records": "\(archive.recordCount)", "mistakes": "\(mistakes.count)",
            ])
        return try await openTicket(
            startsOver: false, rejection: mistakes.rejection(of: archive.recordCount),
            for: try await caller(client.identity, exchange), exchange)
    }

    /// All that can be; what cannot is told. Each batch is taken in under the rights of its moment.
    private func takeIn(
        _ archive: SentArchive, from client: SignedInClient, in transfer: Transfer,
        _ exchange: Exchange
    ) async throws -> Mistakes {
        var mistakes = archive.mistakes
        for batch in archive.batches(upTo: BatchLoad(exchange.engine.limits)) {
            let records = try await onDisk { try archive.records(of: batch) }
            let caller = try await caller(client.identity, exchange)
            let refused = try await takeInFiles(
                of: records, archive, from: caller, in: transfer, exchange)
            for words in refused.values.sorted() { mistakes.add(words) }
            let sound = records.filter { record in
                record.files.allSatisfy { refused[$0] == nil }
            }
            let outcomes = try await exchange.environment.tickets.push(
                sound, from: caller, at: exchange.now)
            for outcome in outcomes { mistakes.add(outcome, through: client.lens) }
        }
        return mistakes
    }

    private static let archiveName = "archive"
}

extension BatchLoad {
    /// A batch may have so many changes; what it brings in files must not be more than one user's
    /// files that no record names, which they are until the batch is taken in.
    init(_ limits: Limits) {
        self.init(
            records: limits.changes, bytes: 4 << 20, files: limits.looseFiles / 2,
            fileBytes: limits.looseFileBytes / 2)
    }
}
