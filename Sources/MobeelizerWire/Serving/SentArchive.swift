import Archives
import ChangeRules
import DefinitionModel
import Foundation
import Hashing
import Secrets
import SyncEngine

/// What a client has sent: its records, in an order in which they can be taken in, and its files.
struct SentArchive: Sendable {
    private let path: String
    private let linesPath: String
    /// Of each record the last line.
    private let lines: [SentLine]
    private let lens: VersionLens
    private let fileNames: Set<String>
    let mistakes: Mistakes
    /// Lines that are read, whatever is wrong with them.
    let recordCount: Int

    /// Reads the archive's lines once, within the limits, and puts them into a file where they can
    /// be found again: memory is taken for guids only. Waits for the disk.
    init(
        at path: String, lines linesPath: String, through lens: VersionLens, limits: WireLimits
    ) throws {
        let archive = try ArchiveReader(path: path)
        let sizes = Dictionary(
            archive.entries.map { ($0.name, $0.size) }, uniquingKeysWith: { first, _ in first })
        let reader = try archive.lines(of: Self.recordsName, maxBytes: limits.recordBytes)
        var index = LineIndex(lens: lens, fileSizes: sizes)
        let file = try SystemFile(creating: linesPath)
        while let bytes = try reader.next() {
            guard index.lineCount < limits.records else {
                throw WireRefusal.rejected("the archive has more than \(limits.records) records")
            }
            guard !bytes.isEmpty else { continue }
            try file.write(bytes, at: index.offset)
            index.add(bytes, number: reader.number)
        }
        self.path = path
        self.linesPath = linesPath
        self.lens = lens
        lines = index.lines
        mistakes = index.mistakes
        recordCount = index.lineCount
        fileNames = Set(sizes.keys).subtracting([Self.recordsName, Self.deletedFilesName])
    }

    static let recordsName = "data"
    static let deletedFilesName = "deletedFiles"

    /// Parts that can be taken in one after the other.
    func batches(upTo max: BatchLoad) -> [SentBatch] {
        let order = MobeelizerWire.batches(of: lines.map(\.record), upTo: max)
        return order.map { places in SentBatch(lines: places.map { lines[$0] }) }
    }

    /// Waits for the disk.
    func records(of batch: SentBatch) throws -> [WholeRecord] {
        let file = try SystemFile(reading: linesPath)
        return try batch.lines.map { line in
            let bytes = try file.bytes(line.count, at: line.offset)
            return WholeRecord(
                try RecordLine(bytes), through: lens, id: freshGuid())
        }
    }

    /// Which of some files came along.
    func files(among guids: [String]) -> [String] { guids.filter(fileNames.contains) }

    /// Puts the contents of a file that came along into a file of its own. Waits for the disk.
    func unpack(_ guid: String, to path: String) throws -> UnpackedFile {
        let reader = try ArchiveReader(path: self.path).read(guid)
        let file = try SystemFile(creating: path)
        var hash = SHA256()
        var offset: Int64 = 0
        while case let bytes = try reader.next(pieceBytes), !bytes.isEmpty {
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

/// A file that came in an archive.
struct UnpackedFile: Sendable {
    let path: String
    let contents: ContentHash
    /// In bytes.
    let size: Int64
}

/// Records that are taken in at once.
struct SentBatch: Sendable {
    fileprivate let lines: [SentLine]
}

/// Where a line is, and what decides when it is taken in.
private struct SentLine: Sendable {
    let offset: Int64
    let count: Int
    let record: SentRecord
}

/// The last line of each record.
private struct LineIndex {
    let lens: VersionLens
    let fileSizes: [String: Int64]
    private(set) var lines: [SentLine] = []
    private(set) var mistakes = Mistakes()
    private(set) var lineCount = 0
    private var places: [String: Int] = [:]
    /// Where the next line comes to lie.
    private(set) var offset: Int64 = 0

    init(lens: VersionLens, fileSizes: [String: Int64]) {
        self.lens = lens
        self.fileSizes = fileSizes
    }

    mutating func add(_ bytes: [UInt8], number: Int) {
        lineCount += 1
        defer { offset += Int64(bytes.count) }
        do throws(LineFault) {
            let line = try RecordLine(bytes)
            // So that nobody can make the guids take more memory than their number does.
            guard isGuid(line.guid) else {
                throw LineFault(words: "its 'guid' '\(line.guid.shortenedName)' is none")
            }
            let record = WholeRecord(line, through: lens, id: "")
            keep(
                SentLine(
                    offset: offset, count: bytes.count,
                    record: sent(record, bytes: bytes.count)))
        } catch {
            mistakes.add("line \(number) of 'data': \(error.words)")
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

    private func sent(_ record: WholeRecord, bytes: Int) -> SentRecord {
        let sizes = record.files.compactMap { fileSizes[$0] }
        return SentRecord(
            guid: record.guid, targets: record.targets.filter(isGuid),
            load: BatchLoad(
                records: 1, bytes: bytes, files: sizes.count, fileBytes: sizes.reduce(0, +)))
    }
}

/// What is read and written at once.
let pieceBytes = 64 << 10
