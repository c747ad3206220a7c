import Foundation
import Testing

@testable import Archives

/// Exchange of archives with another program: Python's module `zipfile`.
@Suite struct ForeignProgramTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The output of a Python script, which gets the path of the archive.
    private func python(_ script: String) async throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script, folder.path("a.zip")]
        let output = Pipe()
        process.standardOutput = output
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        try #require(status == 0)
        return String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    }

    private static let written = """
        import sys, zipfile
        class Stream:
            'Cannot be gone back in, as a socket.'
            def __init__(self, path): self.file = open(path, 'wb')
            def write(self, data): return self.file.write(data)
            def flush(self): self.file.flush()
        def write(target, method, **options):
            with zipfile.ZipFile(target, 'w', method) as archive:
                for name, text in ('data', 'one\\n' * 1000), ('deletedFiles', ''), ('ż', 'x'):
                    with archive.open(name, 'w', **options) as entry:
                        entry.write(text.encode())
        path = sys.argv[1]

        """

    @Test(arguments: [
        "write(path, zipfile.ZIP_STORED)",
        "write(path, zipfile.ZIP_DEFLATED)",
        "write(Stream(path), zipfile.ZIP_STORED)",
        "write(Stream(path), zipfile.ZIP_DEFLATED)",
        "write(path, zipfile.ZIP_DEFLATED, force_zip64=True)",
        "write(Stream(path), zipfile.ZIP_DEFLATED, force_zip64=True)",
    ])
    func archivesOfPythonAreRead(call: String) async throws {
        _ = try await python(Self.written + call)
        let contents = try namedContents(ofArchiveAt: folder.path("a.zip"))
        #expect(
            contents == [
                NamedContents("data", String(repeating: "one\n", count: 1000)),
                NamedContents("deletedFiles", ""), NamedContents("ż", "x"),
            ])
    }

    @Test func unsupportedCompressionMethodIsRefused() async throws {
        _ = try await python(Self.written + "write(path, zipfile.ZIP_BZIP2)")
        let error = #expect(throws: ArchiveError.self) {
            try ArchiveReader(path: folder.path("a.zip"))
        }
        #expect(error == .entry("data", .methodUnsupported(12)))
    }

    /// Version 2.0 of the format at most, with sizes before contents, as old clients require.
    @Test func pythonReadsWrittenArchives() async throws {
        let writer = try ArchiveWriter(
            path: folder.path("a.zip"), modifiedSeconds: 1_800_000_000)
        try writer.add("data", bytes: Array(String(repeating: "one\n", count: 1000).utf8))
        try writer.add("deletedFiles", bytes: [])
        try writer.add(
            "ż", contentsOfFile: folder.write([1, 2, 3], to: "file"), isStored: true)
        try writer.finish()
        let output = try await python(
            """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1]) as archive:
                print(archive.testzip())
                for entry in archive.infolist():
                    print(entry.filename, entry.compress_type, entry.flag_bits & 0x808,
                          entry.extract_version, entry.date_time, len(archive.read(entry)))
            """)
        #expect(
            output == """
                None
                data 8 0 20 (2027, 1, 15, 8, 0, 0) 4000
                deletedFiles 8 0 20 (2027, 1, 15, 8, 0, 0) 0
                ż 0 2048 10 (2027, 1, 15, 8, 0, 0) 3

                """)
    }
}
