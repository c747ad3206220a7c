import CZip
import Foundation
import SystemFiles

/// A new ZIP archive in a new file, which is removed unless the archive is finished.
///
/// `finish()` writes the archive. Added files are read only then, so they must stay. This takes
/// memory for the names, for contents added as bytes, and for a few buffers, however large the
/// files are. Calls block on the disk. Not safe for concurrent use.
package final class ArchiveWriter {
    private let path: String
    private let modified: DOSTime
    /// Nil after finishing or failing.
    private var archive: OpenArchive?
    private var files: [FileSource] = []
    private var hasEntries = false

    /// Throws if the file exists. The file is accessible to its owner only.
    ///
    /// - Parameter modifiedSeconds: The modification time of every entry, in seconds since 1970 in
    ///   UTC. ZIP stores even seconds from 1980 to 2107; the time is rounded down and clamped.
    package convenience init(path: String, modifiedSeconds: Int64) throws(ArchiveError) {
        let file = try onFile { () throws(SystemFileError) in try SystemFile(creating: path) }
        try self.init(file, modifiedSeconds: modifiedSeconds)
    }

    /// Takes an empty file.
    init(_ file: SystemFile, modifiedSeconds: Int64) throws(ArchiveError) {
        path = file.path
        modified = DOSTime(secondsSince1970: modifiedSeconds)
        do throws(ArchiveError) {
            archive = try OpenArchive(writing: file)
        } catch {
            unlink(file.path)
            throw error
        }
    }

    deinit {
        abandon()
    }

    /// - Parameter isStored: Stores the contents uncompressed, for data that is compressed already.
    ///   The default is to deflate.
    package func add(
        _ name: String, bytes: [UInt8], isStored: Bool = false
    ) throws(ArchiveError) {
        try checkName(name)
        try add(name, isStored: isStored) { () throws(ArchiveError) in try memorySource(of: bytes) }
    }

    /// Adds an entry in folders, such as `Notes/Package.swift`. Each part of the path must be a
    /// valid name.
    package func add(path: String, bytes: [UInt8]) throws(ArchiveError) {
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            try checkName(String(part))
        }
        try add(path) { () throws(ArchiveError) in try memorySource(of: bytes) }
    }

    /// - Parameter isStored: Stores the contents uncompressed, for data that is compressed already.
    ///   The default is to deflate.
    package func add(
        _ name: String, contentsOfFile path: String, isStored: Bool = false
    ) throws(ArchiveError) {
        try checkName(name)
        _ = try onFile { () throws(SystemFileError) in try SystemFile(reading: path).size() }
        let file = FileSource(reading: path)
        try add(name, isStored: isStored) { () throws(ArchiveError) in try file.makeSource() }
        files.append(file)
    }

    /// Writes the archive. If this fails, the file is removed.
    package func finish() throws(ArchiveError) {
        let archive = try open()
        guard hasEntries else {
            abandon()
            throw .archive(.empty)
        }
        do throws(ArchiveError) {
            try archive.close()
            self.archive = nil
        } catch {
            abandon()
            throw files.lazy.compactMap(\.failure).first ?? error
        }
    }
}

extension ArchiveWriter {
    private func open() throws(ArchiveError) -> OpenArchive {
        guard let archive else { throw .failed("'\(path)' was finished, or has failed") }
        return archive
    }

    private func abandon() {
        guard archive != nil else { return }
        archive = nil
        unlink(path)
    }

    private func checkName(_ name: String) throws(ArchiveError) {
        if let fault = nameFault(of: Array(name.utf8), maxBytes: ArchiveLimits().nameBytes) {
            throw .entry(name, fault)
        }
    }

    private func add(
        _ name: String, isStored: Bool = false,
        from makeSource: () throws(ArchiveError) -> OpaquePointer
    ) throws(ArchiveError) {
        let archive = try open()
        let source = try makeSource()
        let place = zip_file_add(archive.handle, name, source, ZIP_FL_ENC_UTF_8)
        guard place >= 0 else {
            zip_source_free(source)
            let isRepeated = zip_error_code_zip(zip_get_error(archive.handle)) == ZIP_ER_EXISTS
            throw isRepeated ? .entry(name, .nameRepeated) : archive.failure
        }
        let (index, method) = (UInt64(place), isStored ? ZIP_CM_STORE : ZIP_CM_DEFLATE)
        guard zip_set_file_compression(archive.handle, index, method, level) == 0,
            zip_file_set_dostime(archive.handle, index, modified.time, modified.date, 0) == 0
        else {
            abandon()
            throw archive.failure
        }
        hasEntries = true
    }
}

/// The default of zlib. It takes a third of the time of level 9, the default of libzip, and JSON
/// lines get one percent larger.
private let level: UInt32 = 6

/// A source with a copy of the bytes, which it owns.
private func memorySource(of bytes: [UInt8]) throws(ArchiveError) -> OpaquePointer {
    // libzip does not free a buffer with length 0.
    let copy = bytes.isEmpty ? nil : malloc(bytes.count)
    guard bytes.isEmpty || copy != nil else { throw .failed("there is no memory left") }
    UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyBytes(from: bytes)
    var error = zip_error_t()
    zip_error_init(&error)
    guard let source = zip_source_buffer_create(copy, UInt64(bytes.count), 1, &error) else {
        free(copy)
        throw .failed("libzip cannot go on: \(message(of: &error))")
    }
    return source
}
