import Foundation
import PostgresKit
import Testing

@Suite("A PostgreSQL for tests is gone with who started it", .timeLimit(.minutes(5)))
struct SupervisorTests {
    /// Whoever holds the other end of a pipe has ended when it is at its end.
    @Test func nothingIsLeft() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "waggle-supervised-\(UUID())").path
        let (input, output) = (Pipe(), Pipe())
        let owner = Process()
        owner.executableURL = URL(filePath: "/bin/sh")
        // One shell for the other: a process that has ended is there until its parent has seen it.
        owner.arguments = [
            "-c", #"sh -c "$2" "$0" "$1"; exit"#, PostgresCluster.supervisor, folder,
            #"sh "$0" "$1" & read -r line"#,
        ]
        owner.standardInput = input
        owner.standardOutput = output
        try owner.run()
        #expect(output.fileHandleForReading.availableData == Data("ready\n".utf8))
        #expect(FileManager.default.fileExists(atPath: "\(folder)/data/postmaster.pid"))
        try input.fileHandleForWriting.close()
        #expect(output.fileHandleForReading.readDataToEndOfFile().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}
