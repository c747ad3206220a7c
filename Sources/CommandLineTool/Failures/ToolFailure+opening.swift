import Foundation
import SyncEngine
import SystemPackage

extension ToolFailure {
    /// The database could not be opened, or created if `creating` is true. Adds the system's reason
    /// for a file, and the command that creates a database of PostgreSQL.
    init(opening address: DatabaseAddress, _ error: StoreError, creating: Bool) {
        self.init(error, database: "\(address)")
        switch (address, error) {
        case (.file(let path), .unreadable(_, .rightFile)):
            self = ToolFailure(unusable: path, creating: creating) ?? self
        case (.server, .unavailable(let text)):
            guard let name = missingDatabase(in: text) else { return }
            self = ToolFailure(
                .inputAtFault, "the server of '\(address)' has no database '\(name)'",
                help: "name another one, or make it: "
                    + "createdb --encoding=UTF8 --template=template0 \(name)")
        case (.file, _), (.server, _): return
        }
    }
}

extension ToolFailure {
    /// The system's reason why a file cannot be opened, or created if `creating` is true; nil if it
    /// can be.
    init?(unusable path: String, creating: Bool) {
        guard let obstacle = obstacle(to: path, creating: creating) else { return nil }
        self.init(
            .machineFailed,
            "'\(path)' cannot be used: the file cannot be opened or created: \(obstacle)",
            help: "name the file that waggle made, or a new one in a folder that exists and that "
                + "you may write to")
    }
}

/// The database's name in PostgreSQL's message that it does not exist; nil in other messages.
private func missingDatabase(in message: String) -> Substring? {
    message.firstMatch(of: /FATAL: +database "([^"]+)" does not exist/)?.1
}

/// The system's reason why a file cannot be opened for writing; nil if it can be.
private func obstacle(to path: String, creating: Bool) -> String? {
    let folder = FilePath(path).removingLastComponent()
    var isFolder: ObjCBool = false
    let files = FileManager.default
    if files.fileExists(atPath: path, isDirectory: &isFolder) {
        guard !isFolder.boolValue else { return "it is a folder" }
        return reason(toOpen: path, options: [])
    }
    if !folder.isEmpty, !files.fileExists(atPath: folder.string) {
        return "there is no folder '\(folder)'"
    }
    return creating ? reason(toOpen: path, options: [.create, .exclusiveCreate]) : nil
}

/// Removes a file that it creates.
private func reason(toOpen path: String, options: FileDescriptor.OpenOptions) -> String? {
    do {
        let file = try FileDescriptor.open(
            path, .readWrite, options: options, permissions: .ownerReadWrite)
        try file.close()
        if options.contains(.exclusiveCreate) { try FileManager.default.removeItem(atPath: path) }
        return nil
    } catch {
        return Disk.reason(error)
    }
}
