import Foundation

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
    static func tell(_ text: String) {
        // Where this cannot be said, nothing can.
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
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
            let file =
                path == "-"
                ? FileHandle.standardInput
                : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            return [UInt8](try file.read(upToCount: maxBytes) ?? Data())
        } catch {
            throw ToolFailure(
                .inputAtFault, "'\(path)' cannot be read: \(reason(error))",
                help: "name a file that exists and that you may read")
        }
    }

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
        let error = error as NSError
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        return cause.domain == NSPOSIXErrorDomain
            ? String(cString: strerror(Int32(cause.code))).lowercased()
            : error.localizedDescription
    }
}
