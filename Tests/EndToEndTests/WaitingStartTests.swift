import Foundation
import Testing

/// A start waits for its database.
@Suite(.serialized, .timeLimit(.minutes(5))) struct WaitingStartTests {
    /// A new file has to be filled, for which the lock is needed.
    @Test(.withAFile) func startWaitsForLockedFile() async throws {
        let site = try Site(definition: definition("Conflicts"))
        let lock = try await HeldLock(of: site.database)
        let (output, errors) = (Pipe(), Pipe())
        let process = try Program(
            path: Tool.path,
            arguments: [
                "serve", site.definition, "--database", site.database, "--port", "0",
                "--database-wait-seconds", "200",
            ], folder: site.folder
        ).process(writingTo: nil, and: "waiting.log")
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        killAfterDeadline(process)
        let waiting = await offloaded { readLines(1, from: errors.fileHandleForReading) }
        #expect(waiting.hasPrefix("waiting for 200 s at most: '\(site.database)' is locked"))
        try await lock.release()
        let banner = await offloaded { readLines(3, from: output.fileHandleForReading) }
        #expect(listeningPort(in: banner) != nil, "\(banner)")
        process.terminate()
        await offloaded { process.waitUntilExit() }
        #expect(process.terminationStatus == 0)
    }

    /// No server listens at port 1.
    @Test(arguments: [(seconds: "0", waits: false), (seconds: "1", waits: true)])
    func timeOfWaitingIsSetting(seconds: String, waits: Bool) async throws {
        let finished = try await Tool.run(
            [
                "serve", "--database", "postgres://nobody@127.0.0.1:1/nothing", "--port", "0",
                "--database-wait-seconds", seconds,
            ], in: try TemporaryFolder())
        #expect(finished.exitCode == 3, "\(finished.errors)")
        #expect(finished.errors.contains("cannot be reached"))
        #expect(finished.errors.hasPrefix("waiting for 1 s at most: ") == waits)
    }
}
