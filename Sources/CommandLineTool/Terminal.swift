import Foundation
import SystemPackage

/// What a person or a program at the other end reads and types.
enum Terminal {
    /// Data, to standard output; ends the process when nobody can have it.
    static func write(_ text: String) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            tell("error: standard output cannot be written: \(Disk.reason(error))")
            exit(ToolFailure.Kind.machineFailed.exitCode)
        }
    }

    /// Words for people, to standard error.
    static func tell(_ text: String, terminator: String = "\n") {
        // Where this cannot be said, nothing can.
        try? FileHandle.standardError.write(contentsOf: Data((text + terminator).utf8))
    }

    /// Asks for a new password twice, without showing it; or takes the first line of standard input
    /// when that was asked for.
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

/// Files by their names, `-` for standard input and output.
enum Disk {
    /// Not more than so many bytes: some files have no end.
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

    /// Straight into the array: of a large document each copy would be felt.
    private static func bytes(of file: FileDescriptor, upTo maxBytes: Int) throws -> [UInt8] {
        var all: [UInt8] = []
        var room = sizeHint(of: file) + 1
        while all.count < maxBytes {
            let chunk = try [UInt8](unsafeUninitializedCapacity: min(room, maxBytes - all.count)) {
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
            room = all.count + chunkSize
        }
        return all
    }

    /// The size of a file, where it has one that can be believed: a folder's is the highest number.
    private static func sizeHint(of file: FileDescriptor) -> Int {
        guard let end = try? file.seek(offset: 0, from: .end), end < 1 << 32,
            (try? file.seek(offset: 0, from: .start)) == 0
        else { return chunkSize }
        return Int(end)
    }

    private static let chunkSize = 1 << 16

    /// The file is there whole or not at all.
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

    /// A pipe or a device is written to, where a file is replaced.
    private static func isDevice(_ url: URL) -> Bool {
        let type = try? url.resourceValues(forKeys: [.fileResourceTypeKey]).fileResourceType
        return type.map { $0 != .regular && $0 != .directory } ?? false
    }

    /// In the operating system's words, where it has some.
    static func reason(_ error: any Error) -> String {
        if let error = error as? Errno { return error.description.lowercased() }
        let error = error as NSError
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        return cause.domain == NSPOSIXErrorDomain
            ? String(cString: strerror(Int32(cause.code))).lowercased()
            : error.localizedDescription
    }
}
