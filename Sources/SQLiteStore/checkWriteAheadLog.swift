import Foundation
import SyncEngine

/// Throws if durable commits can no longer be read because the write-ahead log is damaged.
///
/// SQLite recovers the frames before the first invalid one and silently discards the rest. This is
/// correct for the last transaction, which may have been incomplete when the machine stopped and
/// was then never acknowledged. Since each commit is durable before the next begins, only the last
/// one can be incomplete. Two or more commits after an invalid frame are therefore lost commits.
///
/// Call this before SQLite opens the file and discards the frames. If another process is writing,
/// the log changes between two looks; real damage stays the same.
func checkWriteAheadLog(
    of path: String, looking look: (String) throws -> LogDamage? = LogDamage.init(databasePath:)
) throws {
    var last: LogDamage?
    while let damage = try look(path) {
        guard damage != last else {
            throw StoreError.unreadable(
                "'\(path)-wal' is damaged, at least \(damage.lostCommits) commits in it cannot be "
                    + "read", remedy: .backupOrShorterLog)
        }
        last = damage
    }
}

/// An invalid frame of a log with acknowledged commits behind it.
struct LogDamage: Hashable {
    /// The salts in the log's header, valid or not.
    let salts: UInt64
    let brokenFrame: Int
    let lostCommits: Int
}

extension LogDamage {
    /// Returns nil if there is no damage, or none that differs from an incomplete commit.
    init?(databasePath path: String) throws {
        guard let file = FileHandle(forReadingAtPath: path + "-wal") else { return nil }
        defer { try? file.close() }
        guard let header = LogHeader(try file.bytes(LogHeader.size)) else { return nil }
        var sum = header.isSound ? header.sum : nil
        var frames = 0
        var broken = 0
        var ends: [UInt64: Int] = [:]
        while let frame = LogFrame(try file.bytes(header.frameSize), of: header) {
            sum = sum.flatMap { frame.sum(after: $0, in: header) }
            if sum == nil, frame.endsTransaction { ends[frame.salts, default: 0] += 1 }
            frames += 1
            if sum != nil { broken = frames }
        }
        // Frames of an earlier log may follow those of this one.
        let lost = header.isSound ? ends[header.salts] ?? 0 : ends.values.max() ?? 0
        guard lost > 1 else { return nil }
        self.init(salts: header.salts, brokenFrame: broken, lostCommits: lost)
    }
}

// MARK: - Log format, https://www.sqlite.org/fileformat.html#the_write_ahead_log

private struct LogHeader {
    static let size = 32

    let salts: UInt64
    let sum: LogSum
    let isSound: Bool
    let frameSize: Int
    private let isBigEndian: Bool

    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        let magic = bytes.word(at: 0)
        isBigEndian = magic & 1 == 1
        salts = bytes.salts(at: 16)
        sum = LogSum(storedAt: 24, of: bytes)
        let pageSize = Int(bytes.word(at: 8))
        isSound =
            magic & ~1 == 0x377f_0682 && pageSize >= 512 && pageSize.nonzeroBitCount == 1
            && sum == LogSum().adding(bytes[..<24], isBigEndian: isBigEndian)
        // Waggle's databases have SQLite's default page size.
        frameSize = LogFrame.headerSize + (isSound ? pageSize : 4096)
    }

    func sum(of frame: [UInt8], after sum: LogSum) -> LogSum {
        sum.adding(frame[..<8], isBigEndian: isBigEndian)
            .adding(frame[LogFrame.headerSize...], isBigEndian: isBigEndian)
    }
}

private struct LogFrame {
    static let headerSize = 24

    private let bytes: [UInt8]

    /// Returns nil for a truncated frame.
    init?(_ bytes: [UInt8], of header: LogHeader) {
        guard bytes.count == header.frameSize else { return nil }
        self.bytes = bytes
    }

    var salts: UInt64 { bytes.salts(at: 8) }

    /// A commit frame contains the size of the database after the commit.
    var endsTransaction: Bool { bytes.word(at: 4) != 0 }

    /// Returns the checksum after this frame; nil if the frame is invalid at this position.
    func sum(after sum: LogSum, in header: LogHeader) -> LogSum? {
        guard salts == header.salts else { return nil }
        let sum = header.sum(of: bytes, after: sum)
        return sum == LogSum(storedAt: 16, of: bytes) ? sum : nil
    }
}

/// A cumulative checksum over the header and all frames so far.
private struct LogSum: Hashable {
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    init() {}

    init(storedAt index: Int, of bytes: [UInt8]) {
        first = bytes.word(at: index)
        second = bytes.word(at: index + 4)
    }

    func adding(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> LogSum {
        bytes.withUnsafeBytes { buffer in
            var sum = self
            for index in stride(from: 0, to: buffer.count, by: 8) {
                let one = buffer.loadUnaligned(fromByteOffset: index, as: UInt32.self)
                let two = buffer.loadUnaligned(fromByteOffset: index + 4, as: UInt32.self)
                sum.first &+= (isBigEndian ? one.bigEndian : one.littleEndian) &+ sum.second
                sum.second &+= (isBigEndian ? two.bigEndian : two.littleEndian) &+ sum.first
            }
            return sum
        }
    }
}

extension [UInt8] {
    /// Stored numbers are big-endian. Only the words that a checksum covers may be little-endian.
    fileprivate func word(at index: Int) -> UInt32 {
        self[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    fileprivate func salts(at index: Int) -> UInt64 {
        self[index..<index + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension FileHandle {
    /// Returns fewer bytes at the end of the file.
    fileprivate func bytes(_ count: Int) throws -> [UInt8] {
        [UInt8](try read(upToCount: count) ?? Data())
    }
}
