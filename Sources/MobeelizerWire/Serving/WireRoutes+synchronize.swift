import HTTPTypes
import Hummingbird
import Logging
import SyncEngine
import SyncServer

/// Takes in everything that a client has changed, in one archive.
extension WireRoutes {
    @Sendable func synchronize(
        _ request: Request, _ context: ConnectionContext
    ) async throws -> Response {
        let client = try await client(of: request)
        try services.uploads.enter(client.caller.login)
        defer { services.uploads.leave(client.caller.login) }
        let transfer = try await folder.makeTransfer()
        let archive = try await received(request, into: transfer, from: client)
        let mistakes = try await takeIn(archive, from: client, in: transfer)
        context.logger.info(
            "synchronized",
            metadata: [
                "records": "\(archive.recordCount)", "mistakes": "\(mistakes.count)",
            ])
        return .text(
            try await openTicket(
                startsOver: false, rejection: mistakes.rejection(of: archive.recordCount),
                for: try await caller(client.identity)))
    }

    private func received(
        _ request: Request, into transfer: Transfer, from client: SignedInClient
    ) async throws -> SentArchive {
        let path = transfer.path(of: "archive")
        let receipt = try ArchiveReceipt(
            contentType: request.headers[.contentType] ?? "", file: path,
            maxBytes: limits.archiveBytes)
        try await pieces(of: request.body, within: services.maxBodySeconds) { piece in
            try await receipt.take(piece)
        }
        try await receipt.finish()
        let (limits, lens) = (limits, client.lens)
        let lines = transfer.path(of: "lines")
        return try await onDisk {
            try SentArchive(at: path, lines: lines, through: lens, limits: limits)
        }
    }

    /// All that can be; what cannot is told. Each batch is taken in under the rights of its moment.
    private func takeIn(
        _ archive: SentArchive, from client: SignedInClient, in transfer: Transfer
    ) async throws -> Mistakes {
        var mistakes = archive.mistakes
        for batch in archive.batches(upTo: BatchLoad(services.engine.limits)) {
            let records = try await onDisk { try archive.records(of: batch) }
            let caller = try await caller(client.identity)
            let refused = try await takeInFiles(of: records, archive, from: caller, in: transfer)
            for words in refused.values.sorted() { mistakes.add(words) }
            let sound = records.filter { record in
                record.files.allSatisfy { refused[$0] == nil }
            }
            let outcomes = try await tickets.push(sound, from: caller, at: services.now())
            for outcome in outcomes { mistakes.add(outcome, through: client.lens) }
        }
        return mistakes
    }
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
