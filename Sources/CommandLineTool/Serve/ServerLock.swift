import Foundation
import SyncEngine
import SystemFiles

/// The right to serve an SQLite file, which one process has at a time.
///
/// It is a lock on the file `.server` beside the database, with the holder's name in it. The system
/// releases it when the process ends, in whatever way; a file that a killed process leaves behind
/// is taken over. Commands other than `serve` need no lock.
struct ServerLock {
    private let file: SystemFile

    /// Throws if another process serves the database, or if there is none and `creating` is false.
    /// Nil for a database server, which any number of processes may use.
    init?(of address: DatabaseAddress, creating: Bool) throws(ToolFailure) {
        guard case .file(let path) = address else { return nil }
        try OpenDatabase.checkIsThere(path, creating: creating)
        let real = URL(filePath: path).resolvingSymlinksInPath().path
        do {
            file = try lockedFile(real + ".server", of: path)
        } catch let error as SystemFileError {
            throw ToolFailure(unusable: path, creating: creating)
                ?? ToolFailure(
                    .unreadable(
                        "\(error), so that files beside it cannot be written",
                        remedy: .permission), database: path)
        } catch let failure as ToolFailure {
            throw failure
        } catch {
            throw ToolFailure(.machineFailed, "'\(path)' cannot be served: \(error)")
        }
    }

    /// Removes the file. The lock ends with its last reference.
    func release() {
        // A file that stays is taken over by the next server.
        try? FileManager.default.removeItem(atPath: file.path)
    }
}

private func lockedFile(_ name: String, of path: String) throws -> SystemFile {
    while true {
        let file = try SystemFile(name, O_RDWR | O_CREAT)
        guard try file.lock(LOCK_EX | LOCK_NB) else {
            let holder = ServerHolder(in: file)?.description ?? "another process"
            throw ToolFailure(
                .machineFailed, "'\(path)' is served by \(holder) already",
                help: "end that server first; any number of servers can share a PostgreSQL "
                    + "database, as in --database postgres://user@host/name")
        }
        // A server that ended just now has removed the file that was opened.
        guard try file.isStillThere() else { continue }
        try ServerHolder.thisProcess.write(to: file)
        return file
    }
}

/// The process that serves a file.
private struct ServerHolder: Codable, CustomStringConvertible {
    let pid: Int32
    let host: String
    /// In ISO 8601, in UTC.
    let since: String

    static var thisProcess: ServerHolder {
        ServerHolder(
            pid: getpid(), host: ProcessInfo.processInfo.hostName,
            since: Date().formatted(.iso8601))
    }

    /// Nil if the file has no complete line yet.
    init?(in file: SystemFile) {
        guard let bytes = try? file.bytes(4096, at: 0),
            let line = bytes.split(separator: UInt8(ascii: "\n")).first,
            let holder = try? JSONDecoder().decode(ServerHolder.self, from: Data(line))
        else { return nil }
        self = holder
    }

    private init(pid: Int32, host: String, since: String) {
        self.pid = pid
        self.host = host
        self.since = since
    }

    /// The line may be shorter than that of a killed process, whose rest is ignored.
    func write(to file: SystemFile) throws {
        try file.write(Array(try JSONEncoder().encode(self)) + [UInt8(ascii: "\n")], at: 0)
    }

    var description: String { "process \(pid) on \(host) since \(since)" }
}
