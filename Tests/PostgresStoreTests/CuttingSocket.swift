import Foundation
import Synchronization

/// A proxy between a client and PostgreSQL. Once armed, it cuts a connection at its first commit;
/// later commits on a connection cannot be distinguished from other statements.
final class CuttingSocket: Sendable {
    enum Cut: String, CaseIterable, Sendable {
        /// The server never receives the commit.
        case beforeItIsSent
        /// The commit succeeds, and its answer is lost.
        case beforeItIsAnswered
    }

    /// The folder of the socket, for libpq.
    let folder: String
    private let server: String
    private let cut: Cut
    private let isArmed = Atomic(false)
    private let requests = Atomic(0)
    private let listener: Int32

    var hasCut: Bool { !isArmed.load(ordering: .relaxed) }

    /// The number of times that clients sent something after an answer: the exchanges.
    var exchangeCount: Int { requests.load(ordering: .relaxed) }

    func arm() { isArmed.store(true, ordering: .relaxed) }

    /// - Parameter server: The folder with the socket of the server.
    init(before server: String, cutting cut: Cut) throws {
        self.server = server
        self.cut = cut
        folder =
            FileManager.default.temporaryDirectory
            .appending(path: "waggle-cut-\(UUID().uuidString.prefix(8))").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        listener = try opened(in: folder, by: { bind($0, $1, $2) })
        guard listen(listener, 16) == 0 else { throw POSIXError(.EIO) }
        DispatchQueue(label: "listener").async { [self] in accept() }
    }

    func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func accept() {
        while true {
            let client = Foundation.accept(listener, nil, nil)
            guard client >= 0 else { return }
            guard let server = try? opened(in: server, by: { connect($0, $1, $2) }) else {
                Foundation.close(client)
                continue
            }
            let link = Link(client: client, server: server)
            DispatchQueue(label: "up").async { [self] in
                pass(from: client, to: server) { bytes in
                    if link.beginsRequest() { requests.add(1, ordering: .relaxed) }
                    guard isCommit(bytes), isArmed.exchange(false, ordering: .relaxed) else {
                        return .pass
                    }
                    link.doom()
                    return cut == .beforeItIsSent ? .end : .pass
                }
                link.end()
            }
            DispatchQueue(label: "down").async { [self] in
                pass(from: server, to: client) { _ in
                    link.noteAnswer()
                    return link.isDoomed ? .end : .pass
                }
                link.end()
            }
        }
    }

    private enum Verdict { case pass, end }

    private func pass(from: Int32, to: Int32, judging: ([UInt8]) -> Verdict) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(from, &buffer, buffer.count)
            guard count > 0, judging(Array(buffer[..<count])) == .pass else { return }
            var sent = 0
            while sent < count {
                let more = buffer[sent..<count].withUnsafeBytes {
                    send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard more > 0 else { return }
                sent += more
            }
        }
    }
}

private func isCommit(_ bytes: [UInt8]) -> Bool {
    String(decoding: bytes, as: UTF8.self).contains("COMMIT")
}

/// The two ends of a connection.
private final class Link: Sendable {
    private let client: Int32
    private let server: Int32
    private let state = Mutex((isDoomed: false, isOver: false))
    private let isAnswered = Atomic(true)

    init(client: Int32, server: Int32) {
        self.client = client
        self.server = server
    }

    var isDoomed: Bool { state.withLock(\.isDoomed) }

    /// Called with each piece that the server sends, before it is passed on.
    func noteAnswer() { isAnswered.store(true, ordering: .sequentiallyConsistent) }

    /// Called with each piece that the client sends: whether the server has answered the last one.
    func beginsRequest() -> Bool {
        isAnswered.exchange(false, ordering: .sequentiallyConsistent)
    }

    func doom() { state.withLock { $0.isDoomed = true } }

    /// Ends both directions.
    func end() {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        if isFirst {
            for end in [client, server] { shutdown(end, Int32(SHUT_RDWR)) }
        } else {
            for end in [client, server] { close(end) }
        }
    }
}

/// Creates a socket in a folder, at the path that libpq expects.
private func opened(
    in folder: String,
    by body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { space in
        space.copyBytes(from: Array("\(folder)/.s.PGSQL.5432".utf8).prefix(space.count - 1))
    }
    let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    guard result == 0 else {
        close(descriptor)
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    return descriptor
}
