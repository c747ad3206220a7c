import Foundation
import SystemPackage

/// A new file that gets its name when it is complete, or standard output.
struct OutputFile {
    private let path: String
    private let file: FileDescriptor
    private let replaces: Bool

    /// Ends the name of a file that is not complete.
    static let partialSuffix = ".partial"

    private var partialPath: String { path + Self.partialSuffix }

    /// Throws if there is such a file, unless it is to be replaced. `-` is standard output. Only
    /// the owner may read the file.
    private init(path: String, replacing replaces: Bool) throws(ToolFailure) {
        self.path = path
        self.replaces = replaces
        guard path != "-" else {
            file = .standardOutput
            return
        }
        guard replaces || !FileManager.default.fileExists(atPath: path) else {
            throw ToolFailure(
                .inputAtFault, "'\(path)' already exists",
                help: "name another file: none is ever replaced")
        }
        do {
            file = try FileDescriptor.open(
                path + Self.partialSuffix, .writeOnly, options: [.create, .truncate],
                permissions: [.ownerReadWrite])
        } catch {
            throw Self.failure(path, error)
        }
    }

    /// Runs `body` with a new file, which gets its name afterwards. If that fails, nothing is left.
    static func write<Value>(
        to path: String, replacing replaces: Bool = false,
        _ body: (OutputFile) async throws -> Value
    ) async throws -> Value {
        let output = try OutputFile(path: path, replacing: replaces)
        do {
            let value = try await body(output)
            try output.finish()
            return value
        } catch {
            output.discard()
            throw error
        }
    }

    func write(_ text: String) throws(ToolFailure) { try write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) throws(ToolFailure) {
        do {
            try file.writeAll(bytes)
        } catch {
            throw Self.failure(path, error)
        }
    }

    /// The error that ended the writing is the one to report.
    private func discard() {
        guard path != "-" else { return }
        try? FileManager.default.removeItem(atPath: partialPath)
    }

    private func finish() throws(ToolFailure) {
        guard path != "-" else { return }
        do {
            try file.close()
            if replaces {
                guard rename(partialPath, path) == 0 else { throw Errno(rawValue: errno) }
            } else {
                try FileManager.default.moveItem(atPath: partialPath, toPath: path)
            }
        } catch {
            throw Self.failure(path, error)
        }
    }

    private static func failure(_ path: String, _ error: any Error) -> ToolFailure {
        ToolFailure(
            .machineFailed, "'\(path)' cannot be written: \(Disk.reason(error))",
            help: "name a folder that exists and that you may write to, on a disk with room")
    }
}
