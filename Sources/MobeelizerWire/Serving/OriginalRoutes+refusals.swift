import ChangeRules
import FileExchange
import Secrets
import SyncEngine
import SyncServer
import SystemFiles
import WholeRecordSync

/// Keeps what is refused of an archive.
extension OriginalRoutes {
    static let archiveName = "archive"

    /// Keeps refusals without contents.
    func keep(
        _ refusals: [RefusedInput], of caller: Caller, to report: inout IngestReport,
        _ exchange: Exchange
    ) async throws {
        report.refused += refusals.count
        guard try await !exchange.environment.tickets.keep(refusals, of: caller, at: exchange.now)
        else { return }
        for refusal in refusals { report.addUnkept(refusal) }
    }

    /// Keeps a refusal with the contents of a file of the transfer.
    ///
    /// - Parameter refusal: Returns the refusal with these contents.
    func keep(
        at path: String, of caller: Caller, to report: inout IngestReport, _ exchange: Exchange,
        as refusal: (KeptContents) -> RefusedInput
    ) async throws {
        let files = exchange.environment.files
        let staged = try await files.stage(as: freshGuid()) { count, offset in
            try await exchange.host.disk.run {
                try SystemFile(reading: path).bytes(count, at: offset)
            }
        }
        let refusal = refusal(KeptContents(hash: staged.contents, size: staged.size))
        report.refused += 1
        // The list holds the contents before they are there, so that no sweep removes them.
        if try await exchange.environment.tickets.keep([refusal], of: caller, at: exchange.now) {
            try await files.keep(staged)
        } else {
            report.addUnkept(refusal)
            try await files.discard(staged)
        }
    }

    /// Lists that a request was refused as a whole. The client sends the same again, for ever if it
    /// is at fault.
    func list(
        _ refusal: WireRefusal, of caller: Caller, _ exchange: Exchange
    ) async throws {
        let refusal = RefusedInput(ofArchive: nil, by: caller.device, reason: refusal.message)
        // A full list has entries that the operator must settle first.
        _ = try await exchange.environment.tickets.keep([refusal], of: caller, at: exchange.now)
    }

    /// Keeps the whole archive, because some of it cannot be read; once for each archive.
    func keepArchive(
        in transfer: Transfer, _ fault: String, of caller: Caller, to report: inout IngestReport,
        _ exchange: Exchange
    ) async throws {
        guard !report.hasArchive else { return }
        report.hasArchive = true
        try await keep(
            at: transfer.path(of: Self.archiveName), of: caller, to: &report, exchange
        ) { RefusedInput(ofArchive: $0, by: caller.device, reason: fault) }
    }
}

/// The refused data of an archive.
struct IngestReport {
    /// The number of refusals.
    var refused = 0
    /// The errors that could not be kept, so that the client must keep them.
    var unkept = ImportErrors()
    /// Whether the archive itself is among the refusals.
    var hasArchive = false

    mutating func add(_ pushed: FullPushResult) {
        refused += pushed.refusals.count
        for refusal in pushed.unkept { addUnkept(refusal) }
    }

    mutating func addUnkept(_ refusal: RefusedInput) {
        unkept.add(refusal)
    }
}
