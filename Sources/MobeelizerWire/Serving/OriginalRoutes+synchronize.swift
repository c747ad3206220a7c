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
        let transfer = try await folder.makeTransfer(on: exchange.host.disk)
        do {
            try await receive(exchange, into: transfer)
        } catch let refusal as WireRefusal {
            try await list(refusal, of: client.caller, exchange)
            throw refusal
        } catch let error as MultipartError {
            try await list(.rejected(error.description), of: client.caller, exchange)
            throw error
        }
        // The records that are already imported no longer differ, so the import can be repeated.
        return .text(
            try await exchange.repeating { exchange in
                try await ticket(for: transfer, from: client.identity, exchange)
            })
    }

    private func receive(_ exchange: Exchange, into transfer: Transfer) async throws {
        let receiver = try ArchiveReceiver(
            contentType: exchange.request.headers[.contentType] ?? "",
            file: transfer.path(of: Self.archiveName), on: exchange.host.disk,
            maxBytes: limits.archiveBytes)
        try await exchange.streamBody { chunk in
            try exchange.checkIsServing()
            try await receiver.take(chunk)
        }
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
        let archive = try await exchange.compute(for: client.caller) {
            try SentArchive(
                at: path, lines: lines, through: mapping, limits: limits,
                checking: exchange.checkGoesOn, holding: exchange.context.hold)
        }
        try exchange.context.hold(archive.heldBytes)
        var report = IngestReport()
        if let fault = archive.fault {
            try await keepArchive(
                in: transfer, fault, of: client.caller, to: &report, exchange)
        }
        try await keepIllegibleLines(of: archive, from: client.caller, to: &report, exchange)
        try await ingest(archive, from: client, in: transfer, to: &report, exchange)
        exchange.logger.info(
            "synchronized",
            metadata: [
                "records": "\(archive.recordCount)", "refused": "\(report.refused)",
                "unkept": "\(report.unkept.count)",
            ])
        return try await openTicket(
            startsOver: false, rejection: report.unkept.rejection(of: archive.recordCount),
            for: try await caller(client.identity, exchange), exchange)
    }

    /// Imports everything that can be taken in. Each batch is checked against the rights at its
    /// time. If the server stops, the client sends the archive again.
    private func ingest(
        _ archive: SentArchive, from client: SignedInClient, in transfer: Transfer,
        to report: inout IngestReport, _ exchange: Exchange
    ) async throws {
        let tickets = exchange.environment.tickets
        var named: Set<String> = []
        for batch in archive.batches(upTo: BatchLoad(exchange.engine.limits)) {
            let (records, parts) = try await exchange.compute(for: client.caller) {
                let records = try archive.records(of: batch)
                return (records, tickets.parts(of: records))
            }
            let caller = try await caller(client.identity, exchange)
            var refusedFiles: Set<String> = []
            for part in parts {
                try exchange.checkIsServing()
                let pushed = try await exchange.untilStop {
                    try await tickets.push(
                        part, from: caller, at: exchange.now,
                        whileWanted: { (try? exchange.checkGoesOn()) != nil })
                }
                report.add(pushed)
                refusedFiles.formUnion(pushed.refusedFiles)
            }
            // After the records: a file that one of them names is not counted as a loose one.
            let files = archive.files(among: Set(records.flatMap(\.files)).sorted())
            // The device has them, whatever becomes of their contents here.
            try await tickets.taking(exchange.turns(for: caller)).noteFiles(
                Set(files), namedBy: records, of: caller)
            try await unpack(
                files, of: archive, for: caller, in: transfer, exchange
            ) { file, contents in
                guard let record = records.first(where: { $0.files.contains(file.guid) }) else {
                    return
                }
                try exchange.checkIsServing()
                try await ingestFile(
                    file, contents, namedBy: record,
                    isRefused: refusedFiles.contains(file.guid), from: caller, in: transfer,
                    to: &report, exchange)
            }
            named.formUnion(files)
        }
        try await ingestFiles(
            besides: named, archive, from: client, in: transfer, to: &report, exchange)
    }

    private func keepIllegibleLines(
        of archive: SentArchive, from caller: Caller, to report: inout IngestReport,
        _ exchange: Exchange
    ) async throws {
        for line in archive.illegibleLines {
            try exchange.checkIsServing()
            let reason = "line \(line.number) of 'data': \(line.reason)"
            guard report.unkept.count == 0 else {
                // The list is full.
                report.refused += 1
                report.addUnkept(RefusedInput(of: [], by: caller.device, reason: reason))
                continue
            }
            let bytes = try await exchange.host.disk.run { try archive.bytes(of: line) }
            let refusal = RefusedInput(of: bytes, by: caller.device, reason: reason)
            try await keep([refusal], of: caller, to: &report, exchange)
        }
    }
}

extension BatchLoad {
    /// A batch may have half of the files that its user may have without a record.
    init(_ limits: Limits) {
        self.init(
            records: limits.changes, bytes: 4 << 20, files: limits.looseFiles / 2,
            fileBytes: limits.looseFileBytes / 2)
    }
}
