import Foundation
import SyncProtocol
import Synchronization
import Testing

/// A server for one test: processes on free ports with an independent database. They are killed
/// when the last reference is released, also if the test fails.
final class RunningServer: Sendable {
    /// Declared before the site, so that the processes end before their database is reused.
    private let current: Mutex<[ServerProcess]>
    let site: Site
    private let turn = Atomic(0)

    private var processes: [ServerProcess] { current.withLock { $0 } }

    /// With these arguments, it waits long for connections and bodies that a test holds back.
    static let patient = ["--max-body-seconds", "600", "--max-idle-seconds", "600"]

    /// Serves a prepared site; see `Site.init(prepared:)`.
    convenience init(
        definition name: String, changing change: (String) throws -> String = { $0 },
        processes count: Int = Backend.servers, arguments: String...
    ) async throws {
        let site = try await Site(prepared: name, changing: change)
        try await self.init(site: site, processes: count, arguments: arguments)
    }

    /// Serves the site's definition or, if their number is given, the environments of its database.
    /// `command` is a program that executes the one named after it, such as `nice`. Tests of the
    /// limits of a process need one process.
    init(
        site: Site, environments: Int? = nil, processes count: Int = Backend.servers,
        arguments: [String] = [], environment: [String: String] = [:],
        under command: [String] = []
    ) async throws {
        self.site = site
        var processes: [ServerProcess] = []
        // One server at a time serves a file.
        for _ in 0..<(site.isOfFile ? min(count, 1) : count) {
            processes.append(
                try await ServerProcess(
                    site: site, environments: environments, arguments: arguments,
                    environment: environment, under: command))
        }
        current = Mutex(processes)
    }

    /// The port of each process in turn.
    var port: Int {
        let processes = processes
        return processes[turn.add(1, ordering: .relaxed).oldValue % processes.count].port
    }

    /// Those of all processes.
    var ports: [Int] { processes.map(\.port) }

    /// The standard output at the start.
    var banner: String { processes[0].banner }

    var processIdentifier: Int32 { processes[0].processIdentifier }

    func log() throws -> String { try processes.map { try $0.log() }.joined() }

    /// Waits for a line of the log.
    @discardableResult
    func line(_ message: String) async throws -> Substring {
        while isRunning {
            let lines = try log().split(separator: "\n")
            if let line = lines.first(where: { $0.contains(#""message":"\#(message)""#) }) {
                return line
            }
            await Task.yield()
        }
        throw Unexpected("the server ended: \(try log())")
    }

    /// An unexpected answer, with the errors in the log.
    func refusal(_ answer: Answer) throws -> Unexpected {
        let errors = try log().split(separator: "\n").filter { $0.contains(#""level":"error""#) }
        return Unexpected("\(answer.status) \(answer.text) \(errors.joined(separator: "\n"))")
    }

    func send(_ signal: Int32) {
        for process in processes { process.send(signal) }
    }

    var isRunning: Bool { processes.contains(where: \.isRunning) }

    /// Waits for the end; the exit code, or the signal that killed the process.
    func exitCode() async -> Int32 {
        var worst: Int32 = 0
        for process in processes { worst = max(worst, await process.exitCode()) }
        return worst
    }

    /// Ends it with SIGTERM, and returns the exit code.
    @discardableResult
    func stop() async -> Int32 {
        send(SIGTERM)
        return await exitCode()
    }

    /// Kills one of the processes and starts another one in its place.
    func replaceProcess(_ number: Int) async throws {
        let killed = processes[number]
        killed.send(SIGKILL)
        #expect(await killed.exitCode() == SIGKILL)
        let next = try await ServerProcess(site: site)
        current.withLock { $0[number] = next }
    }

    /// Ends it with SIGKILL.
    func crash() async {
        send(SIGKILL)
        _ = await exitCode()
    }
}

/// One process of a server, killed when the last reference is released.
final class ServerProcess: Sendable {
    let port: Int
    /// The standard output at the start.
    let banner: String
    private let process: Process
    private let folder: TemporaryFolder
    private let logName: String

    /// Logs to a file in the site's folder. `lines` is the number of lines of the banner; nil for
    /// two, and one for each environment.
    init(
        site: Site, environments: Int? = nil, lines: Int? = nil, arguments: [String] = [],
        environment: [String: String] = [:], under command: [String] = []
    ) async throws {
        folder = site.folder
        logName = "\(UUID().uuidString).log"
        let pipe = Pipe()
        process = try Program(
            path: "/usr/bin/env",
            arguments: command + [Tool.path, "serve"]
                + (environments == nil ? [site.definition] : []) + [
                    "--database", site.database, "--port", "0",
                ] + arguments,
            environment: environment, folder: site.folder
        ).process(writingTo: nil, and: logName)
        process.standardOutput = pipe
        try process.run()
        // See `Program.run`.
        try? (process.standardError as? FileHandle)?.close()
        killAfterTest(process)
        let limit = killAfterDeadline(process)
        banner = await offloaded {
            readLines(lines ?? 2 + (environments ?? 1), from: pipe.fileHandleForReading)
        }
        limit.cancel()
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

    func log() throws -> String { try folder.text(of: logName) }

    func send(_ signal: Int32) {
        if process.isRunning { kill(process.processIdentifier, signal) }
    }

    var isRunning: Bool { process.isRunning }

    /// Waits for the end; the exit code, or the signal that killed the process.
    func exitCode() async -> Int32 {
        let process = process
        killAfterDeadline(process)
        return await offloaded {
            process.waitUntilExit()
            return process.terminationStatus
        }
    }
}

func listeningPort(in banner: String) -> Int? {
    banner.firstMatch(of: /listening on http:\/\/(?:\[.+\]|[^:]+):(\d+)/).flatMap { Int($0.1) }
}

/// Reads a number of lines, or until the other end closes.
func readLines(_ count: Int, from file: FileHandle) -> String {
    var bytes = Data()
    while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < count {
        let more = file.availableData
        guard !more.isEmpty else { break }
        bytes += more
    }
    return String(decoding: bytes, as: UTF8.self)
}

/// Runs blocking code on a separate thread.
func offloaded<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
