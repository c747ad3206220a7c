import Archives
import ChangeRules
import DefinitionModel
import FileExchange
import Foundation
import Secrets
import SyncEngine
import SyncServer
import SystemFiles
import WholeRecordSync

/// Moves files between archives and the engine.
extension OriginalRoutes {
    /// Unpacks files in groups, and passes each to `body` before the next group is unpacked.
    func unpack(
        _ guids: [String], of archive: SentArchive, for caller: Caller, in transfer: Transfer,
        _ exchange: Exchange,
        to body: (
            _ file: (guid: String, path: String), _ contents: Result<UnpackedFile, ArchiveError>
        ) async throws -> Void
    ) async throws {
        var rest = guids[...]
        while !rest.isEmpty {
            let group = archive.firstGroup(of: rest)
            rest = rest.dropFirst(group.count)
            let files = group.map { (guid: $0, path: transfer.path(of: freshGuid())) }
            let unpacked = try await exchange.compute(for: caller) {
                try archive.unpack(files, checking: exchange.checkIsServing)
            }
            for (file, contents) in zip(files, unpacked) { try await body(file, contents) }
        }
    }

    /// Imports the files that no record of the archive names. A client sends a file once, when it
    /// is made; the record that names it may be saved later and come with another archive.
    ///
    /// A file that is not taken in is kept with the archive, and one that illegible data names is
    /// kept by itself.
    func ingestFiles(
        besides named: Set<String>, _ archive: SentArchive, from client: SignedInClient,
        in transfer: Transfer, to report: inout IngestReport, _ exchange: Exchange
    ) async throws {
        let rest = archive.fileNames.subtracting(named).sorted()
        guard !rest.isEmpty else { return }
        let caller = try await caller(client.identity, exchange)
        for name in rest where !isGuid(name) {
            try exchange.checkIsServing()
            try await keepArchive(
                in: transfer, "the file '\(name.shortenedName)' is not named by a guid",
                of: caller, to: &report, exchange)
        }
        try await unpack(
            rest.filter(isGuid), of: archive, for: caller, in: transfer, exchange
        ) { file, contents in
            try exchange.checkIsServing()
            try await ingestFile(
                file, contents, namedBy: nil,
                isRefused: archive.filesOfIllegible.contains(file.guid), from: caller,
                in: transfer, to: &report, exchange)
        }
    }

    /// Imports a file. If the contents are not taken in, or if no record names them because the
    /// value was refused, they are kept with a refusal.
    ///
    /// - Parameters:
    ///   - record: The pushed record that names the file; nil if none does.
    ///   - isRefused: Whether the value that names the file was refused.
    func ingestFile(
        _ sent: (guid: String, path: String), _ contents: Result<UnpackedFile, ArchiveError>,
        namedBy record: FullRecord?, isRefused: Bool, from caller: Caller, in transfer: Transfer,
        to report: inout IngestReport, _ exchange: Exchange
    ) async throws {
        let (guid, path) = sent
        let file: UnpackedFile
        do throws(ArchiveError) {
            file = try contents.get()
        } catch {
            try await keep(
                [
                    RefusedInput(
                        ofFile: guid, namedBy: record, by: caller.device,
                        RecordedReason(
                            code: "illegible", message: error.description, argument: guid), nil)
                ], of: caller, to: &report, exchange)
            return try await keepArchive(
                in: transfer, error.description, of: caller, to: &report, exchange)
        }
        let refusal = try await refusal(of: file, as: guid, from: caller, exchange)
        if let refusal, record == nil, !isRefused {
            try await keepArchive(
                in: transfer, refusal.message, of: caller, to: &report, exchange)
        } else if let reason = refusal ?? (isRefused ? .valueRefused(file: guid) : nil) {
            try await keep(
                at: path, of: caller, to: &report, exchange
            ) { RefusedInput(ofFile: guid, namedBy: record, by: caller.device, reason, $0) }
        }
        try await exchange.host.disk.run { try FileManager.default.removeItem(atPath: path) }
    }

    /// Nil if the file was imported, or exists already with the same contents. Throws if it could
    /// be imported when the client sends it again.
    private func refusal(
        of file: UnpackedFile, as guid: String, from caller: Caller, _ exchange: Exchange
    ) async throws -> RecordedReason? {
        do {
            try await ingest(file, as: guid, from: caller, exchange)
            return nil
        } catch SyncError.file(let refusal) {
            guard !refusal.mayPass else { throw SyncError.file(refusal) }
            let present = try await visibleFile(guid, for: caller, exchange)
            guard present?.contents != file.contents else { return nil }
            let failure = HTTPFailure(.file(refusal))
            return RecordedReason(
                code: failure.code,
                message: "file \(guid): \(failure.sentence); \(failure.help)",
                argument: guid)
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
                let bytes = try await exchange.host.disk.run {
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

    /// Takes a page of a delivery: copies the files that come with it, and adds its lines. A record
    /// whose file does not come names none, because the clients for iOS and Android cannot read
    /// one without contents.
    func take(
        _ page: DeliveredPage, into files: inout DeliveredFiles, _ lines: LineFile,
        for client: SignedInClient, _ exchange: Exchange
    ) async throws {
        let caller = client.caller
        if files.owed == nil {
            files.owe(try await exchange.environment.tickets.owedFiles(to: caller))
            try await copy(files.owedWithContents, into: &files, for: caller, exchange)
        }
        files.add(page)
        try await copy(page.files, into: &files, for: caller, exchange)
        try await lines.append(
            page, withholding: files.missing(of: page), through: client.mapping)
    }

    /// Ends a delivery: adds the owed files for which there is room, and the records that they come
    /// late for. Returns the guids of files that the device needs no longer.
    func finish(
        _ files: inout DeliveredFiles, _ lines: LineFile, with ticket: String,
        for client: SignedInClient, _ exchange: Exchange
    ) async throws -> [String] {
        let (caller, mapping) = (client.caller, client.mapping)
        let tickets = exchange.environment.tickets.taking(exchange.turns(for: caller))
        // Those without contents come last, since most of them have none yet.
        try await copy(files.owedWithoutContents, into: &files, for: caller, exchange)
        let copied = Set(files.copied)
        try await tickets.deliver(
            records: files.recordsOfArrived, to: caller,
            naming: { $0.fileGuids(through: mapping) },
            taking: { page in
                try exchange.checkGoesOn()
                let missing = page.files.filter { !copied.contains($0.file) }
                try await lines.append(page, withholding: missing, through: mapping)
            })
        return try await tickets.noteFiles(
            sent: files.sent, absent: files.absent, later: files.later,
            leaving: files.leaving, with: ticket, to: caller)
    }

    /// Copies files that the caller may see and whose contents exist into the transfer, named by
    /// their guids, as far as there is room.
    private func copy(
        _ due: [FileOnDevice], into files: inout DeliveredFiles, for caller: Caller,
        _ exchange: Exchange
    ) async throws {
        for guid in due.map(\.file) where files.isWanted(guid) {
            try exchange.checkGoesOn()
            guard let file = try await visibleFile(guid, for: caller, exchange) else {
                files.noteAbsent(guid)
                continue
            }
            guard files.takes(guid, of: file.size) else { break }
            let path = files.transfer.path(of: guid)
            let target = try await exchange.host.disk.run { try SystemFile(creating: path) }
            var offset: Int64 = 0
            while offset < file.size {
                let bytes = try await file.read(chunkBytes, at: offset)
                let place = offset
                try await exchange.host.disk.run { try target.write(bytes, at: place) }
                offset += Int64(bytes.count)
            }
        }
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

extension FileRefusal {
    /// Whether the same contents may be taken in later.
    fileprivate var mayPass: Bool {
        switch self {
        case .overtaken, .partElsewhere, .digestWrong: true
        case .unknown, .awaited, .lost, .guidIllegal, .uploadNotAllowed, .tooLarge, .notYours,
            .exists, .tooManyLoose:
            false
        }
    }
}

extension RecordedReason {
    fileprivate static func valueRefused(file: String) -> RecordedReason {
        RecordedReason(
            code: "valueRefused",
            message: "file \(file): the value that names it was refused", argument: file)
    }
}
