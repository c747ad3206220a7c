import Foundation
import Testing

/// `waggle --version`, of programs with and without the line that `make package` appends.
@Suite(.timeLimit(.minutes(5))) struct VersionTests {
    @Test func programBuiltFromSourceSaysSo() async throws {
        let finished = try await Tool.run(["--version"], in: try TemporaryFolder())
        #expect(finished.exitCode == 0 && finished.errors == "")
        let line = /\d+\.\d+\.\d+ \(built from source, commit not recorded\)\n/
        #expect(finished.output.wholeMatch(of: line) != nil)
    }

    @Test(arguments: ["commit 0123456789ab", "commit unknown: packaged without git"])
    func packagedProgramNamesItsCommit(stamp: String) async throws {
        let folder = try TemporaryFolder()
        let program = folder.path("waggle")
        try FileManager.default.copyItem(atPath: Tool.path, toPath: program)
        let file = try FileHandle(forWritingTo: URL(filePath: program))
        try file.seekToEnd()
        try file.write(contentsOf: Data("\nwaggle-build: \(stamp)\n".utf8))
        try file.close()
        let finished = try await Program(path: program, arguments: ["--version"], folder: folder)
            .run()
        #expect(finished.exitCode == 0)
        #expect(finished.output.hasSuffix(" (\(stamp))\n"), "\(finished.output)")
    }
}
