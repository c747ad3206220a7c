import Foundation
import SyncProtocol

/// A server of its own for a test: a real process, on a port that was free, with a database in a
/// fresh folder. It is killed with the last thing that uses it, also when the test fails.
final class RunningServer: Sendable {
    let site: Site
    let port: Int
    /// What it said on standard output when it was ready.
    let banner: String
    private let process: Process
    private let logName: String

    /// Serves a prepared site, see `Site.init(prepared:)`.
    convenience init(
        definition name: String, changing change: (String) throws -> String = { $0 },
        arguments: String...
    ) async throws {
        let site = try await Site(prepared: name, changing: change)
        try await self.init(site: site, arguments: arguments)
    }

    /// Serves what the site has. Its log goes to a file of the site's folder. A command it is under
    /// is one that becomes the program named after it, as `nice` does.
    init(
        site: Site, arguments: [String] = [], environment: [String: String] = [:],
        under command: [String] = []
    ) async throws {
        self.site = site
        logName = "\(UUID().uuidString).log"
        let pipe = Pipe()
        process = try Program(
            path: "/usr/bin/env",
            arguments: command + [Tool.path, "serve", site.definition]
                + ["--database", site.database, "--port", "0"] + arguments,
            environment: environment, folder: site.folder
        ).process(writingTo: nil, and: logName)
        process.standardOutput = pipe
        try process.run()
        killAfterDeadline(process)
        banner = await offloaded { readLines(3, from: pipe.fileHandleForReading) }
        guard let port = listeningPort(in: banner) else {
            process.terminate()
            throw Unexpected("no server: \(banner) \(try site.folder.text(of: logName))")
        }
        self.port = port
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    var processIdentifier: Int32 { process.processIdentifier }

    func log() throws -> String { try site.folder.text(of: logName) }

    func send(_ signal: Int32) {
        if process.isRunning { kill(process.processIdentifier, signal) }
    }

    var isRunning: Bool { process.isRunning }

    /// Waits for its end; the exit code, or the signal that killed it.
    func exitCode() async -> Int32 {
        let process = process
        return await offloaded {
            process.waitUntilExit()
            return process.terminationStatus
        }
    }

    /// Ends it as a supervisor would, and gives the exit code.
    @discardableResult
    func stop() async -> Int32 {
        send(SIGTERM)
        return await exitCode()
    }

    /// Ends it without a chance to do anything more.
    func crash() async {
        send(SIGKILL)
        _ = await exitCode()
    }
}

func listeningPort(in banner: String) -> Int? {
    banner.firstMatch(of: /listening on http:\/\/[^:]+:(\d+)/).flatMap { Int($0.1) }
}

/// Reads until so many lines have come, or the other end is closed.
func readLines(_ count: Int, from file: FileHandle) -> String {
    var bytes = Data()
    while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < count {
        let more = file.availableData
        guard !more.isEmpty else { break }
        bytes += more
    }
    return String(decoding: bytes, as: UTF8.self)
}

/// Does what blocks on a thread of its own, so that other tests go on.
func offloaded<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: body()) }
    }
}
