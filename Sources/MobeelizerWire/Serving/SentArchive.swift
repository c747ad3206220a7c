import Archives
import ChangeRules
import DefinitionModel
import Foundation
import Hashing
import JSON
import Secrets
import SyncEngine
import SystemFiles
import WholeRecordSync

/// The archive from a client: records, in an order in which they can be imported, and files.
struct SentArchive: Sendable {
    private let path: String
    private let linesPath: String
    /// The last line of each record.
    private let lines: [SentLine]
    private let mapping: SchemaMapping
    /// By name, in bytes.
    private let fileSizes: [String: Int64]
    /// Guids of files in lines that are no records, or that contain unreadable values.
    let filesOfIllegible: Set<String>
    let illegibleLines: [IllegibleLine]
    /// Why some of the archive cannot be read, for people; nil if all of it can.
    let fault: String?
    /// The number of lines, including invalid ones.
    let recordCount: Int
    /// The load of all lines, in bytes.
    private let loadBytes: Int
    /// The memory for the values of one line, for which room was made.
    private let countedBytes: Int

    /// The memory for the guids of all records, and for the values of one batch, beyond that for
    /// which room was made.
    var heldBytes: Int {
        let valueBytes = RecordLine.valuesPerByte * min(loadBytes, 4 << 20)
        return max(0, 300 * recordCount + valueBytes - countedBytes)
    }

    /// Reads the archive's lines once and copies them to a file with random access, so that memory
    /// is needed for guids only. Blocks on the disk.
    ///
    /// Nothing is taken from lines that are damaged. Beyond a limit, the lines before it are. Files
    /// that cannot be taken are left out.
    ///
    /// - Parameters:
    ///   - check: Called from time to time, whatever the lines are; its errors end the reading.
    ///   - hold: Makes room for the values of a line before it is read, beyond what earlier lines
    ///     needed; its errors end the reading too.
    init(
        at path: String, lines linesPath: String, through mapping: SchemaMapping,
        limits: WireLimits, checking check: () throws -> Void = {},
        holding hold: (Int) throws -> Void = { _ in }
    ) throws {
        let none = RecordLineIndex(mapping: mapping, fileSizes: [:])
        var (index, fault) = (none, String?.none)
        do {
            let archive = try ArchiveReader(salvaging: path, first: Self.recordsName)
            fault = archive.fault?.description
            let file = try SystemFile(creating: linesPath)
            index = RecordLineIndex(
                mapping: mapping,
                fileSizes: Dictionary(
                    archive.entries.map { ($0.name, $0.size) },
                    uniquingKeysWith: { first, _ in first }))
            let reader = try archive.lines(of: Self.recordsName, maxBytes: limits.recordBytes)
            let excess = try index.add(
                linesOf: reader, to: file, within: limits, checking: check, holding: hold)
            fault = fault ?? excess
        } catch let error as ArchiveError where error.isOfContents {
            fault = fault ?? error.description
            if !error.isOfLineLength { index = none }
        }
        self.path = path
        self.linesPath = linesPath
        self.mapping = mapping
        self.fault = fault
        lines = index.lines
        illegibleLines = index.illegibleLines
        filesOfIllegible = index.filesOfIllegible
        recordCount = index.lineCount
        loadBytes = index.loadBytes
        countedBytes = index.valueBytes
        fileSizes = index.fileSizes.filter {
            ![Self.recordsName, Self.deletedFilesName].contains($0.key)
        }
    }

    static let recordsName = "data"
    static let deletedFilesName = "deletedFiles"

    /// Batches to import one after another.
    func batches(upTo max: BatchLoad) -> [SentBatch] {
        let order = MobeelizerWire.batches(of: lines.map(\.record), upTo: max)
        return order.map { places in SentBatch(lines: places.map { lines[$0] }) }
    }

    /// Blocks on the disk.
    func records(of batch: SentBatch) throws -> [FullRecord] {
        let file = try SystemFile(reading: linesPath)
        return try batch.lines.map { line in
            let bytes = try file.bytes(line.count, at: line.offset)
            return FullRecord(
                try RecordLine(bytes), through: mapping, id: freshGuid())
        }
    }

    /// Blocks on the disk.
    func bytes(of line: IllegibleLine) throws -> [UInt8] {
        try SystemFile(reading: linesPath).bytes(line.count, at: line.offset)
    }

    /// The names of all files in the archive.
    var fileNames: Set<String> { Set(fileSizes.keys) }

    /// The guids of files that are in the archive.
    func files(among guids: [String]) -> [String] { guids.filter { fileSizes[$0] != nil } }

    /// The first of some files that are unpacked together: those that reach 16 MiB, at most 64.
    func firstGroup(of guids: ArraySlice<String>) -> ArraySlice<String> {
        var bytes: Int64 = 0
        return guids.prefix(64).prefix { guid in
            defer { bytes += fileSizes[guid] ?? 0 }
            return bytes < 16 << 20
        }
    }

    /// Extracts files, each to the path of its place, unless its contents cannot be read. Reads the
    /// directory of the archive once. Blocks on the disk.
    ///
    /// - Parameter check: Called before each file; its errors end the reading.
    func unpack(
        _ files: [(guid: String, path: String)], checking check: () throws -> Void
    ) throws -> [Result<UnpackedFile, ArchiveError>] {
        let archive = try ArchiveReader(salvaging: path, first: Self.recordsName)
        return try files.map { file in
            try check()
            do {
                return .success(try Self.unpack(file.guid, of: archive, to: file.path))
            } catch let error as ArchiveError where error.isOfContents {
                return .failure(error)
            }
        }
    }

    private static func unpack(
        _ guid: String, of archive: ArchiveReader, to path: String
    ) throws -> UnpackedFile {
        let reader = try archive.read(guid)
        let file = try SystemFile(creating: path)
        var hash = SHA256()
        var offset: Int64 = 0
        while case let bytes = try reader.next(chunkBytes), !bytes.isEmpty {
            hash.update(bytes)
            try file.write(bytes, at: offset)
            offset += Int64(bytes.count)
        }
        guard let contents = ContentHash(hash.finalize()) else {
            throw SyncError.store(.failed("a SHA-256 has no 32 bytes"))
        }
        return UnpackedFile(path: path, contents: contents, size: reader.entry.size)
    }
}

/// A file extracted from an archive.
struct UnpackedFile: Sendable {
    let path: String
    let contents: ContentHash
    /// In bytes.
    let size: Int64
}

/// A line that is no record.
struct IllegibleLine: Sendable {
    fileprivate let offset: Int64
    fileprivate let count: Int
    /// In the archive, from 1.
    let number: Int
    let reason: String
}

/// Records to import together.
struct SentBatch: Sendable {
    fileprivate let lines: [SentLine]
}

/// The position of a line, and the properties that determine its batch.
private struct SentLine: Sendable {
    let offset: Int64
    let count: Int
    let record: SentRecord
}

/// Keeps the last line of each record.
private struct RecordLineIndex {
    let mapping: SchemaMapping
    let fileSizes: [String: Int64]
    private(set) var lines: [SentLine] = []
    private(set) var illegibleLines: [IllegibleLine] = []
    private(set) var filesOfIllegible: Set<String> = []
    private(set) var lineCount = 0
    private var places: [String: Int] = [:]
    /// The position of the next line.
    private(set) var offset: Int64 = 0
    private(set) var loadBytes = 0
    /// The memory for the values of the line that needs most.
    private(set) var valueBytes = 0

    init(mapping: SchemaMapping, fileSizes: [String: Int64]) {
        self.mapping = mapping
        self.fileSizes = fileSizes
    }

    /// Bytes of lines that are read between two calls of `check`, at most.
    private static let uncheckedBytes = 1 << 20

    /// Adds lines, and writes them to the file. Returns a fault if there are too many.
    mutating func add(
        linesOf reader: LineReader, to file: SystemFile, within limits: WireLimits,
        checking check: () throws -> Void, holding hold: (Int) throws -> Void
    ) throws -> String? {
        var unchecked = 0
        while let bytes = try reader.next() {
            // There may be very many empty lines, of one byte each.
            unchecked += bytes.count + 1
            if unchecked >= Self.uncheckedBytes {
                try check()
                unchecked = 0
            }
            guard lineCount < limits.records else {
                return "the archive has more than \(limits.records) records"
            }
            guard !bytes.isEmpty else { continue }
            try file.write(bytes, at: offset)
            let needed = parsedBytes(of: bytes)
            if needed > valueBytes, needed <= limits.recordValueBytes {
                try hold(needed - valueBytes)
                valueBytes = needed
            }
            add(bytes, needing: needed, within: limits, number: reader.number)
        }
        return nil
    }

    private mutating func add(
        _ bytes: [UInt8], needing needed: Int, within limits: WireLimits, number: Int
    ) {
        lineCount += 1
        defer { offset += Int64(bytes.count) }
        do throws(LineError) {
            guard needed <= limits.recordValueBytes else {
                throw LineError(
                    reason: "its values need more than \(limits.recordValueBytes) bytes of memory")
            }
            let line = try RecordLine(bytes)
            // Bounds the memory for guids: arbitrary strings could be long.
            guard isGuid(line.guid) else {
                throw LineError(reason: "its 'guid' '\(line.guid.shortenedName)' is not a guid")
            }
            let record = FullRecord(line, through: mapping, id: "")
            if !record.unreadable.isEmpty { noteFiles(in: bytes) }
            let load = max(bytes.count, needed / RecordLine.valuesPerByte)
            loadBytes += load
            keep(
                SentLine(
                    offset: offset, count: bytes.count, record: sent(record, bytes: load)))
        } catch {
            noteFiles(in: bytes)
            illegibleLines.append(
                IllegibleLine(
                    offset: offset, count: bytes.count, number: number, reason: error.reason))
        }
    }

    /// Notes the files of the archive whose guids are somewhere in a line.
    private mutating func noteFiles(in bytes: [UInt8]) {
        guard !fileSizes.isEmpty, bytes.count >= 36 else { return }
        let hyphen = UInt8(ascii: "-")
        for start in 0...bytes.count - 36
        where bytes[start + 8] == hyphen && bytes[start + 13] == hyphen
            && bytes[start + 18] == hyphen && bytes[start + 23] == hyphen
        {
            let text = String(decoding: bytes[start..<start + 36], as: UTF8.self)
            if fileSizes[text] != nil { filesOfIllegible.insert(text) }
        }
    }

    private mutating func keep(_ line: SentLine) {
        let guid = line.record.guid
        if let place = places[guid] {
            lines[place] = line
        } else {
            places[guid] = lines.count
            lines.append(line)
        }
    }

    private func sent(_ record: FullRecord, bytes: Int) -> SentRecord {
        let sizes = record.files.compactMap { fileSizes[$0] }
        return SentRecord(
            guid: record.guid, targets: record.targets.filter(isGuid),
            load: BatchLoad(
                records: 1, bytes: bytes, files: sizes.count, fileBytes: sizes.reduce(0, +)))
    }
}

extension ArchiveError {
    /// Whether everything before the fault can be read.
    fileprivate var isOfLineLength: Bool {
        guard case .entry(_, .lineTooLong) = self else { return false }
        return true
    }
}

/// The buffer size for reading and writing.
let chunkBytes = 64 << 10
