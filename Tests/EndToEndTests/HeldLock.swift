import Foundation

/// The lock of a SQLite database for writing, held by another process until it is released.
final class HeldLock: Sendable {
    private let process: Process
    private let input: FileHandle

    init(of path: String) async throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["sqlite3", "-batch", "-cmd", ".timeout 10000", path]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        self.input = input.fileHandleForWriting
        try self.input.write(contentsOf: Data("BEGIN IMMEDIATE; SELECT 'held';\n".utf8))
        let line = await offloaded { readLines(1, from: output.fileHandleForReading) }
        guard line == "held\n" else { throw Unexpected("no lock: \(line)") }
    }

    deinit { if process.isRunning { process.terminate() } }

    func release() async throws {
        try input.write(contentsOf: Data("COMMIT;\n".utf8))
        try input.close()
        let process = process
        await offloaded { process.waitUntilExit() }
    }
}
