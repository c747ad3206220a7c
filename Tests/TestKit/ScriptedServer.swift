package import Foundation
import Synchronization

/// An HTTP server that answers with given bytes.
package final class ScriptedServer: Sendable {
    /// A received request.
    package struct Request: Sendable {
        /// Such as `POST /path HTTP/1.1`.
        package let line: String
        package let headers: String
        package let body: Data

        /// Without the query.
        package var path: String {
            String((line.split(separator: " ").dropFirst().first ?? "").prefix { $0 != "?" })
        }
    }

    package enum Reply: Sendable {
        case bytes([UInt8])
        /// Then closes the connection.
        case lastBytes([UInt8])
        /// Then resets the connection, which loses bytes in transit.
        case reset
        /// Sends nothing until the client closes the connection.
        case silence
    }

    package let port: Int
    private let listener: Int32
    private let count = Mutex(0)

    package init(_ reply: @escaping @Sendable (Request) -> Reply) throws {
        let (listener, port) = try listeningSocket()
        self.listener = listener
        self.port = port
        Thread.detachNewThread { [weak self] in
            acceptAll(on: listener) { socket in
                self?.count.withLock { $0 += 1 }
                Thread.detachNewThread { serve(socket, reply) }
            }
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// The number of accepted connections.
    package var connections: Int { count.withLock { $0 } }

    /// A complete answer with its length.
    package static func answer(
        _ status: String, headers: [String] = [], body: String = ""
    ) -> [UInt8] {
        let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers
        return Array((head.map { "\($0)\r\n" }.joined() + "\r\n" + body).utf8)
    }
}

private func serve(
    _ socket: Int32, _ reply: (ScriptedServer.Request) -> ScriptedServer.Reply
) {
    defer { close(socket) }
    var bytes = Data()
    while let request = nextRequest(from: socket, after: &bytes) {
        switch reply(request) {
        case .bytes(let bytes): guard sendAll(bytes, to: socket) else { return }
        case .lastBytes(let bytes):
            _ = sendAll(bytes, to: socket)
            return
        case .reset:
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(
                socket, SOL_SOCKET, SO_LINGER, &linger,
                socklen_t(MemoryLayout.size(ofValue: linger)))
            return
        case .silence: while let more = received(from: socket) { bytes += more }
        }
    }
}

/// Nil if the connection ends.
private func nextRequest(
    from socket: Int32, after bytes: inout Data
) -> ScriptedServer.Request? {
    let end = Data("\r\n\r\n".utf8)
    while true {
        if let head = bytes.firstRange(of: end) {
            let text = String(decoding: bytes[..<head.lowerBound], as: UTF8.self)
            let length = text.firstMatch(of: /(?i:content-length): *(\d+)/).flatMap { Int($0.1) }
            let body = bytes[head.upperBound...].prefix(length ?? 0)
            if body.count == length ?? 0 {
                bytes = Data(bytes[body.endIndex...])
                let line = text.prefix { $0 != "\r\n" }
                return ScriptedServer.Request(
                    line: String(line), headers: text, body: Data(body))
            }
        }
        guard let more = received(from: socket) else { return nil }
        bytes += more
    }
}

private func received(from socket: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = recv(socket, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : nil
}

private func sendAll(_ bytes: [UInt8], to socket: Int32) -> Bool {
    #if os(Linux)
        let flags = Int32(MSG_NOSIGNAL)
    #else
        let flags: Int32 = 0
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
        let sent = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, flags) }
        guard sent > 0 else { return false }
        rest = rest.dropFirst(sent)
    }
    return true
}

/// Accepts until the listening socket is shut down. The socket is closed here, where no other
/// thread can wait on its descriptor after it is reused.
package func acceptAll(on listener: Int32, _ serve: (Int32) -> Void) {
    while true {
        let socket = accept(listener, nil, nil)
        if socket >= 0 {
            serve(socket)
        } else if ![EINTR, ECONNABORTED].contains(errno) {
            close(listener)
            return
        }
    }
}

/// A TCP socket that listens on a free port of the loopback interface.
package func listeningSocket() throws -> (socket: Int32, port: Int) {
    #if os(Linux)
        let type = Int32(SOCK_STREAM.rawValue)
    #else
        let type = SOCK_STREAM
    #endif
    let socket = Foundation.socket(AF_INET, type, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
    }
    let named = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
    }
    guard bound == 0, listen(socket, 64) == 0, named == 0 else { throw NoFreePort() }
    return (socket, Int(in_port_t(bigEndian: address.sin_port)))
}

private struct NoFreePort: Error {}
