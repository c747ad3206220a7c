import Foundation
import Testing

/// The result of a process.
struct Finished: Sendable {
    let exitCode: Int32
    /// Standard output.
    let output: String
    /// Standard error.
    let errors: String
}

/// A program with its arguments and environment.
struct Program: Sendable {
    let path: String
    var arguments: [String]
    var input = ""
    /// Added to the environment of the test, without the variables for the tool.
    var environment: [String: String] = [:]
    /// The working directory; the output files are there too.
    let folder: TemporaryFolder

    /// The limit of a single wait: long enough for the slowest command on a busy machine.
    static let deadlineSeconds = 240

    /// Runs it to its end. At the deadline it is killed; the exit code is then that of the signal.
    func run() async throws -> Finished {
        let name = UUID().uuidString
        let process = try process(writingTo: "\(name).out", and: "\(name).err")
        defer {
            try? FileManager.default.removeItem(atPath: folder.path("\(name).out"))
            try? FileManager.default.removeItem(atPath: folder.path("\(name).err"))
            try? FileManager.default.removeItem(atPath: folder.path("\(name).in"))
        }
        process.standardInput = FileHandle(
            forReadingAtPath: try folder.write(input, to: "\(name).in"))
        // Foundation keeps the objects of ended processes, and reads beyond a buffer when it starts
        // one while 1,360 files are open.
        defer {
            for file in [process.standardInput, process.standardOutput, process.standardError] {
                try? (file as? FileHandle)?.close()
            }
        }
        let exitCode = try await ended(process)
        return Finished(
            exitCode: exitCode, output: try folder.text(of: "\(name).out"),
            errors: try folder.text(of: "\(name).err"))
    }

    /// A process ready to be started.
    func process(writingTo output: String?, and errors: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("WAGGLE_") }.merging(environment) { $1 }
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.standardInput = FileHandle.nullDevice
        if let output {
            process.standardOutput = FileHandle(
                forWritingAtPath: try folder.write("", to: output))
        }
        process.standardError = FileHandle(forWritingAtPath: try folder.write("", to: errors))
        return process
    }

    private func ended(_ process: Process) async throws -> Int32 {
        try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
                killAfterDeadline(process)
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }
}

/// Limits the life of a process that is waited for, whatever becomes of the test. The result can be
/// cancelled.
@discardableResult
func killAfterDeadline(_ process: Process) -> DispatchWorkItem {
    let end = DispatchWorkItem { killIfRunning(process) }
    DispatchQueue.global().asyncAfter(
        deadline: .now() + .seconds(Program.deadlineSeconds), execute: end)
    return end
}

/// Limits the life of a process to the time that its test may take. Its owner ends it before.
func killAfterTest(_ process: Process) {
    let seconds = Test.current?.timeLimit?.components.seconds ?? 3600
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Int(seconds))) {
        [weak process] in
        if let process { killIfRunning(process) }
    }
}

private func killIfRunning(_ process: Process) {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
}

/// The tool under test.
enum Tool {
    /// `WAGGLE_TOOL`, or the tool that was built with the tests.
    static let path =
        ProcessInfo.processInfo.environment["WAGGLE_TOOL"] ?? builtWithTests("waggle")

    /// The path of a program in the build folder of the tests.
    static func builtWithTests(_ name: String) -> String {
        let folders = [
            Bundle.main.bundleURL, URL(fileURLWithPath: CommandLine.arguments[0]),
        ].flatMap { [$0, $0.deletingLastPathComponent()] }
        let candidates = folders.map { $0.appendingPathComponent(name).path }
        return candidates.first(where: FileManager.default.isExecutableFile(atPath:))
            ?? candidates[0]
    }

    static func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:],
        in folder: TemporaryFolder
    ) async throws -> Finished {
        try await Program(
            path: path, arguments: arguments, input: input, environment: environment,
            folder: folder
        ).run()
    }
}
