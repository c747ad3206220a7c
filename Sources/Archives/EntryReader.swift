import CZip

/// The contents of an entry, read in chunks.
package final class EntryReader {
    package let entry: ArchiveEntry
    private let archive: OpenArchive
    private let file: OpaquePointer
    private var rest: Int64
    private var isChecked = false
    private var failure: ArchiveError?

    init(_ entry: ArchiveEntry, of archive: OpenArchive) throws(ArchiveError) {
        guard let file = zip_fopen_index(archive.handle, entry.index, 0) else {
            throw archive.failure(of: entry, zip_get_error(archive.handle))
        }
        self.entry = entry
        self.archive = archive
        self.file = file
        rest = entry.size
    }

    deinit {
        zip_fclose(file)
    }

    /// Returns the next `count` bytes, fewer at the end, then none. The last bytes are returned
    /// only if size and checksum match. After an error, every call throws the same error.
    package func next(_ count: Int) throws(ArchiveError) -> [UInt8] {
        if let failure { throw failure }
        do throws(ArchiveError) {
            let bytes = try read(Int(min(Int64(max(0, count)), rest)))
            rest -= Int64(bytes.count)
            if rest == 0 && !isChecked { try checkEnd() }
            return bytes
        } catch {
            failure = error
            throw error
        }
    }

    private func read(_ count: Int) throws(ArchiveError) -> [UInt8] {
        var last: Int64 = 1
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            guard let start = buffer.baseAddress else { return }
            while length < count, last > 0 {
                last = zip_fread(file, start + length, UInt64(count - length))
                length += Int(max(0, last))
            }
        }
        guard last >= 0 else { throw archive.failure(of: entry, zip_file_get_error(file)) }
        guard bytes.count == count else { throw sizeWrong }
        return bytes
    }

    /// libzip verifies the checksum when it reaches the end.
    private func checkEnd() throws(ArchiveError) {
        var byte: UInt8 = 0
        let count = zip_fread(file, &byte, 1)
        guard count >= 0 else { throw archive.failure(of: entry, zip_file_get_error(file)) }
        guard count == 0 else { throw sizeWrong }
        isChecked = true
    }

    private var sizeWrong: ArchiveError { .entry(entry.name, .sizeWrong(declared: entry.size)) }
}
