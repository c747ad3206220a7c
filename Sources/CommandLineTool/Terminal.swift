import Foundation
import SystemFiles
import SystemPackage

/// Standard input, output and error.
enum Terminal {
    /// Writes data to standard output. Ends the process if that fails.
    static func write(_ text: String) { write(bytes: Array(text.utf8)) }

    /// The same with bytes.
    static func write(bytes: [UInt8]) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(bytes))
        } catch {
            printMessage("error: standard output cannot be written: \(Disk.reason(error))")
            exit(ToolFailure.Kind.machineFailed.exitCode)
        }
    }

    /// Writes a message to standard error.
    static func printMessage(_ text: String, terminator: String = "\n") {
        // There is no other place to report a failure.
        try? FileHandle.standardError.write(contentsOf: Data((text + terminator).utf8))
    }

    /// Prompts for a new password twice, without echo, or reads the first line of standard input.
    static func newPassword(fromStandardInput: Bool) throws(ToolFailure) -> String {
        if fromStandardInput { return readLine(strippingNewline: true) ?? "" }
        guard isatty(STDIN_FILENO) == 1 else {
            throw ToolFailure(
                .wrongUsage, "there is no terminal to ask for the password on",
                help: "pass --password-stdin and write the password to standard input")
        }
        let password = hidden("Password: ")
        guard hidden("Once more: ") == password else {
            throw ToolFailure(.inputAtFault, "the two passwords differ", help: "try again")
        }
        return password
    }

    private static func hidden(_ prompt: String) -> String {
        getpass(prompt).map { String(cString: $0) } ?? ""
    }
}

/// Reads and writes files; `-` is standard input or output.
enum Disk {
    /// Reads at most `maxBytes`: some files have no end.
    static func read(_ path: String, upTo maxBytes: Int) throws(ToolFailure) -> [UInt8] {
        do {
            guard path != "-" else { return try bytes(of: .standardInput, upTo: maxBytes) }
            let file = try FileDescriptor.open(path, .readOnly)
            return try file.closeAfter { try bytes(of: file, upTo: maxBytes) }
        } catch {
            throw ToolFailure(
                .inputAtFault, "'\(path)' cannot be read: \(reason(error))",
                help: "name a file that exists and that you may read")
        }
    }

    /// Makes a folder that its user alone may open, unless it exists. `failure` gets the reason.
    static func makePrivateFolder(
        _ path: String, orThrow failure: (String) -> ToolFailure
    ) throws(ToolFailure) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw failure(reason(error))
        }
    }

    /// Whether a path is that of a file in a folder, and not in one of its folders. `-` is none.
    static func isPath(_ path: String, directlyIn folder: String) -> Bool {
        path != "-"
            && URL(filePath: path).deletingLastPathComponent().standardizedFileURL.path
                == URL(filePath: folder, directoryHint: .isDirectory).standardizedFileURL.path
    }

    /// The first line of a file, such as a secret; not empty.
    static func firstLine(of path: String) throws(ToolFailure) -> String {
        let line = try read(path, upTo: 4096).prefix {
            $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r")
        }
        guard !line.isEmpty else {
            throw ToolFailure(
                .inputAtFault, "'\(path)' begins with an empty line",
                help: "write the secret into its first line")
        }
        return String(decoding: line, as: UTF8.self)
    }

    /// Reads directly into an array, because copies of a large document are slow.
    private static func bytes(of file: FileDescriptor, upTo maxBytes: Int) throws -> [UInt8] {
        var all: [UInt8] = []
        var space = sizeHint(of: file) + 1
        while all.count < maxBytes {
            let chunk = try [UInt8](unsafeUninitializedCapacity: min(space, maxBytes - all.count)) {
                buffer, count in
                while count < buffer.count {
                    let whole = UnsafeMutableRawBufferPointer(buffer)
                    let read = try file.read(into: .init(rebasing: whole[count...]))
                    if read == 0 { break }
                    count += read
                }
            }
            if chunk.isEmpty { break }
            all = all.isEmpty ? chunk : all + chunk
            space = all.count + chunkSize
        }
        return all
    }

    /// The size of the file, if the system reports a plausible one; for a folder it reports a huge
    /// number.
    private static func sizeHint(of file: FileDescriptor) -> Int {
        guard let end = try? file.seek(offset: 0, from: .end), end < 1 << 32,
            (try? file.seek(offset: 0, from: .start)) == 0
        else { return chunkSize }
        return Int(end)
    }

    private static let chunkSize = 1 << 16

    /// Replaces the file atomically.
    static func write(_ text: String, to path: String) throws(ToolFailure) {
        guard path != "-" else { return Terminal.write(text) }
        let url = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url, options: isDevice(url) ? [] : .atomic)
        } catch {
            throw ToolFailure(
                .machineFailed, "'\(path)' cannot be written: \(reason(error))",
                help: "name a folder that you may write to, on a disk with room")
        }
    }

    /// A pipe or a device is written to instead of being replaced.
    private static func isDevice(_ url: URL) -> Bool {
        let type = try? url.resourceValues(forKeys: [.fileResourceTypeKey]).fileResourceType
        return type.map { $0 != .regular && $0 != .directory } ?? false
    }

    /// The system's message, if there is one.
    static func reason(_ error: any Error) -> String {
        if let error = error as? Errno { return error.description.lowercased() }
        return systemReason(of: error)
    }
}
