import Foundation
import SystemFiles
import Testing

@testable import Archives

/// Failures of the writer: the file is removed, and the error names the cause.
@Suite struct WriterFailureTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func writer() throws(ArchiveError) -> ArchiveWriter {
        try ArchiveWriter(path: folder.path("a.zip"), modifiedSeconds: 0)
    }

    @Test func abandonedArchiveIsDeleted() throws {
        var writer: ArchiveWriter? = try writer()
        try writer?.add("data", bytes: [1, 2, 3])
        #expect(try folder.names == ["a.zip"])
        writer = nil
        #expect(try folder.names == [])
    }

    @Test func finishedArchiveStays() throws {
        var writer: ArchiveWriter? = try writer()
        try writer?.add("data", bytes: [1, 2, 3])
        try writer?.finish()
        #expect(throws: ArchiveError.self) { try writer?.finish() }
        #expect(throws: ArchiveError.self) { try writer?.add("more", bytes: []) }
        writer = nil
        #expect(try folder.names == ["a.zip"])
        #expect(try namedContents(ofArchiveAt: folder.path("a.zip")).map(\.bytes) == [[1, 2, 3]])
    }

    @Test func nothingIsWrittenOverFile() throws {
        let path = try folder.write([7], to: "a.zip")
        let error = #expect(throws: ArchiveError.self) { try writer() }
        #expect(error == .failed("cannot open '\(path)': file exists"))
        #expect(try folder.bytes(of: "a.zip") == [7])
    }

    @Test func archiveNeedsEntry() throws {
        let writer = try writer()
        #expect(throws: ArchiveError.archive(.empty)) { try writer.finish() }
        #expect(try folder.names == [])
    }

    @Test(arguments: [
        ("", EntryFault.nameEmpty), ("../x", .nameIsPath), ("a\0b", .nameHasControlCharacter),
        (String(repeating: "a", count: 256), .nameTooLong(bytes: 256, max: 255)),
        ("data", .nameRepeated),
    ])
    func nameThatCannotBeReadIsNotWritten(name: String, fault: EntryFault) throws {
        let writer = try writer()
        try writer.add("data", bytes: [1])
        #expect(throws: ArchiveError.entry(name, fault)) { try writer.add(name, bytes: [2]) }
        try writer.finish()
        #expect(
            try namedContents(ofArchiveAt: folder.path("a.zip")) == [NamedContents("data", [1])])
    }

    @Test func fileThatIsNotThereIsNotAdded() throws {
        let (writer, path) = (try writer(), folder.path("none"))
        #expect(throws: ArchiveError.failed("cannot open '\(path)': no such file or directory")) {
            try writer.add("guid", contentsOfFile: path)
        }
        #expect(throws: ArchiveError.failed("'\(folder.path)' is a folder")) {
            try writer.add("guid", contentsOfFile: folder.path)
        }
    }

    @Test func fileThatGoesAwayMeanwhileIsNamed() throws {
        let writer = try writer()
        let path = try folder.write([1], to: "photograph")
        try writer.add("data", bytes: [1])
        try writer.add("guid", contentsOfFile: path)
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: ArchiveError.failed("cannot open '\(path)': no such file or directory")) {
            try writer.finish()
        }
        #expect(try folder.names == [])
    }

    #if os(Linux)
        /// Writing to this device always fails with a full disk.
        @Test(arguments: [1, 1_000_000]) func fullDiskIsReported(count: Int) throws {
            let path = folder.path("a.zip")
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: "/dev/full")
            let writer = try ArchiveWriter(SystemFile(path, O_RDWR), modifiedSeconds: 0)
            try writer.add("data", bytes: [UInt8](repeating: 0, count: count), isStored: true)
            #expect(throws: ArchiveError.outOfSpace) { try writer.finish() }
            #expect(try folder.names == [])
        }

        /// Readers and writers that were opened, failed, finished or released.
        @Test func noFileStaysOpen() throws {
            let file = try folder.write([UInt8](repeating: 1, count: 1000), to: "file")
            for _ in 0..<50 {
                let finished = try writer()
                try finished.add("data", bytes: [1, 2, 3])
                try finished.add("file", contentsOfFile: file)
                try finished.finish()
                let reader = try ArchiveReader(path: folder.path("a.zip"))
                _ = try reader.read("data").next(1)
                _ = try reader.lines(of: "file", maxBytes: 10)
                #expect(throws: ArchiveError.self) { try ArchiveReader(path: file) }
                try FileManager.default.removeItem(atPath: folder.path("a.zip"))
                let abandoned = try writer()
                try abandoned.add("file", contentsOfFile: file)
            }
            #expect(try openFiles() == [])
        }

        /// The open files of this process in the folder of this test.
        private func openFiles() throws -> [String] {
            let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            return descriptors.compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            }.filter { $0.hasPrefix(folder.path) }
        }
    #endif
}
