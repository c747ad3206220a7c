import Foundation
import JSON
import Synchronization

/// A process of Chromium with its end of a socket, over which messages go. Each is JSON with a zero
/// byte after it.
///
/// The browser ends when the other end is closed, which happens at the latest when the tests end,
/// and then its folder is removed.
final class BrowserPipe: Sendable {
    private let socket: Int32
    private let sending = Mutex(())
    private let process: Process

    #if os(Linux)
        private static let stream = Int32(SOCK_STREAM.rawValue)
        /// A closed socket is an error, not a signal.
        private static let flags = Int32(MSG_NOSIGNAL)
    #else
        private static let stream = SOCK_STREAM
        private static let flags: Int32 = 0
    #endif

    init(switches: [String]) throws {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Self.stream, 0, &ends) == 0 else {
            throw Unexpected("no pair of sockets: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        socket = ends[0]
        defer { Foundation.close(ends[1]) }
        process = try Self.start(switches, with: ends[1])
    }

    /// Chromium reads the file 3 and writes the file 4.
    private static func start(_ switches: [String], with end: Int32) throws -> Process {
        // Short, or Chromium's own socket in it has a path that is too long.
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("browser-\(UUID().uuidString.prefix(8).lowercased())").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments =
            [
                "-c",
                """
                chromium "$@" 3<&0 4<&0 </dev/null >/dev/null 2>"$TMPDIR/chromium.err"
                rm -rf "$TMPDIR"
                """, "sh", "--user-data-dir=\(folder)/profile",
            ] + switches
        process.environment = ProcessInfo.processInfo.environment
            .merging(["TMPDIR": folder]) { $1 }
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.standardInput = FileHandle(fileDescriptor: end, closeOnDealloc: false)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    func send(_ message: String) {
        let bytes = Array(message.utf8) + [0]
        sending.withLock { _ in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Foundation.send(socket, $0.baseAddress, $0.count, Self.flags)
                }
                // A caller that waits for the answer learns of the end from `listen`.
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Calls `receive` with each message, on a thread of its own. The last call has the reason of
    /// the end.
    func listen(_ receive: @escaping @Sendable (Result<JSONValue, any Error>) -> Void) {
        Thread.detachNewThread { [socket] in
            do {
                var message: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                while true {
                    let count = recv(socket, &buffer, buffer.count, 0)
                    guard count > 0 else { throw Unexpected("Chromium has ended") }
                    var rest = buffer[..<count]
                    while let end = rest.firstIndex(of: 0) {
                        receive(.success(try parseJSON(message + rest[..<end])))
                        message = []
                        rest = rest[(end + 1)...]
                    }
                    message += rest
                }
            } catch {
                receive(.failure(error))
            }
        }
    }
}
