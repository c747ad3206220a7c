import Foundation
import Testing

/// A process of `chromedriver`, which starts browsers and speaks the WebDriver protocol.
final class ChromeDriver: Sendable {
    let port: Int
    private let process: Process

    /// Whether Debian's packages `chromium` and `chromium-driver` are here.
    static let isInstalled = ["chromedriver", "chromium"].allSatisfy { program in
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
    }

    /// Tries again if another program takes the free port that chromedriver has chosen.
    static func start(in folder: TemporaryFolder) async throws -> ChromeDriver {
        for _ in 0..<9 {
            do {
                return try await ChromeDriver(in: folder)
            } catch let error as Unexpected where error.description.contains("already in use") {
                continue
            }
        }
        return try await ChromeDriver(in: folder)
    }

    private init(in folder: TemporaryFolder) async throws {
        let pipe = Pipe()
        process = try Program(
            path: "/usr/bin/env", arguments: ["chromedriver", "--port=0"],
            environment: ["TMPDIR": folder.path], folder: folder
        ).process(writingTo: nil, and: "chromedriver.err")
        process.standardOutput = pipe
        try process.run()
        killAfterDeadline(process)
        let banner = await offloaded { readUntilStarted(pipe.fileHandleForReading) }
        guard let port = banner.firstMatch(of: started).flatMap({ Int($0.1) }) else {
            kill(process.processIdentifier, SIGKILL)
            throw Unexpected("chromedriver: \(banner) \(try folder.text(of: "chromedriver.err"))")
        }
        self.port = port
    }

    deinit {
        // Foundation starts processes with SIGTERM blocked.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }
}

private nonisolated(unsafe) let started = /started successfully on port (\d+)/

private func readUntilStarted(_ file: FileHandle) -> String {
    var text = ""
    while text.firstMatch(of: started) == nil {
        let more = file.availableData
        guard !more.isEmpty else { break }
        text += String(decoding: more, as: UTF8.self)
    }
    return text
}
