import Foundation
import PostgresKit
import Testing

@Suite("The PostgreSQL server for tests ends with its process", .timeLimit(.minutes(20)))
struct SupervisorTests {
    /// The other end of a pipe is closed when its process has ended.
    @Test func nothingIsLeft() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "waggle-supervised-\(UUID())").path
        let (input, output) = (Pipe(), Pipe())
        let owner = Process()
        owner.executableURL = URL(filePath: "/bin/sh")
        // Replaces the shell: an ended process exists until its parent has read its status.
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
