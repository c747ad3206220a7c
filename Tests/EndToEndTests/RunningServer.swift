import Foundation
import SyncProtocol
import Synchronization
import Testing

/// A server of its own for a test: real processes, on ports that were free, with a database of
/// their own. They are killed with the last thing that uses this, also when the test fails.
final class RunningServer: Sendable {
    /// Before the site, whose database is another test's when that is gone.
    private let current: Mutex<[ServerProcess]>
    let site: Site
    private let turn = Atomic(0)

    private var processes: [ServerProcess] { current.withLock { $0 } }

    /// Serves a prepared site, see `Site.init(prepared:)`.
    convenience init(
        definition name: String, changing change: (String) throws -> String = { $0 },
        processes count: Int = Backend.servers, arguments: String...
    ) async throws {
        let site = try await Site(prepared: name, changing: change)
        try await self.init(site: site, processes: count, arguments: arguments)
    }

    /// Serves what the site has: its definition, or, where it is said how many there are, the
    /// environments of its database. A command it is under is one that becomes the program named
    /// after it, as `nice` does. A test of the limits of a process needs one of it.
    init(
        site: Site, environments: Int? = nil, processes count: Int = Backend.servers,
        arguments: [String] = [], environment: [String: String] = [:],
        under command: [String] = []
    ) async throws {
        self.site = site
        var processes: [ServerProcess] = []
        for _ in 0..<count {
            processes.append(
                try await ServerProcess(
                    site: site, environments: environments, arguments: arguments,
                    environment: environment, under: command))
        }
        current = Mutex(processes)
    }

    /// Of each process in turn.
    var port: Int {
        let processes = processes
        return processes[turn.add(1, ordering: .relaxed).oldValue % processes.count].port
    }

    /// What it said on standard output when it was ready.
    var banner: String { processes[0].banner }

    var processIdentifier: Int32 { processes[0].processIdentifier }

    func log() throws -> String { try processes.map { try $0.log() }.joined() }

    /// An answer that should have been another one, and what the log has of errors.
    func refusal(_ answer: Answer) throws -> Unexpected {
        let errors = try log().split(separator: "\n").filter { $0.contains(#""level":"error""#) }
        return Unexpected("\(answer.status) \(answer.text) \(errors.joined(separator: "\n"))")
    }

    func send(_ signal: Int32) {
        for process in processes { process.send(signal) }
    }

    var isRunning: Bool { processes.contains(where: \.isRunning) }

    /// Waits for its end; the exit code, or the signal that killed it.
    func exitCode() async -> Int32 {
        var worst: Int32 = 0
        for process in processes { worst = max(worst, await process.exitCode()) }
        return worst
    }

    /// Ends it as a supervisor would, and gives the exit code.
    @discardableResult
    func stop() async -> Int32 {
        send(SIGTERM)
        return await exitCode()
    }

    /// Kills one of its processes and puts another one in its place; the others go on.
    func replaceProcess(_ number: Int) async throws {
        let killed = processes[number]
        killed.send(SIGKILL)
        #expect(await killed.exitCode() == SIGKILL)
        let next = try await ServerProcess(site: site)
        current.withLock { $0[number] = next }
    }

    /// Ends it without a chance to do anything more.
    func crash() async {
        send(SIGKILL)
        _ = await exitCode()
    }
}

/// One process of a server, killed with the last thing that uses it.
final class ServerProcess: Sendable {
    let port: Int
    /// What it said on standard output when it was ready.
    let banner: String
    private let process: Process
    private let folder: TemporaryFolder
    private let logName: String

    /// Its log goes to a file of the site's folder.
    init(
        site: Site, environments: Int? = nil, arguments: [String] = [],
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
        killAfterDeadline(process)
        banner = await offloaded {
            readLines(2 + (environments ?? 1), from: pipe.fileHandleForReading)
        }
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

    /// Waits for its end; the exit code, or the signal that killed it.
    func exitCode() async -> Int32 {
        let process = process
        return await offloaded {
            process.waitUntilExit()
            return process.terminationStatus
        }
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
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
