import Foundation
import SyncProtocol

/// A TCP connection, for requests that HTTP clients do not send.
final class RawConnection: Sendable {
    private let socket: Int32

    /// Throws if no server listens on the port. `buffering` is the approximate size of the receive
    /// buffer in bytes. `source` is the own address; Linux has all of 127.0.0.0/8.
    init(port: Int, buffering: Int32? = nil, from source: String? = nil) throws {
        #if os(Linux)
            let type = Int32(SOCK_STREAM.rawValue)
        #else
            let type = SOCK_STREAM
        #endif
        socket = Foundation.socket(AF_INET, type, 0)
        var deadline = timeval(tv_sec: Program.deadlineSeconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(
                socket, SOL_SOCKET, option, &deadline, socklen_t(MemoryLayout<timeval>.size))
        }
        if var buffering {
            let size = socklen_t(MemoryLayout<Int32>.size)
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &buffering, size)
        }
        let isReady =
            source.map { withSocketAddress($0, 0) { bind(socket, $0, $1) } == 0 } ?? true
        let connected = withSocketAddress("127.0.0.1", port) { connect(socket, $0, $1) }
        guard isReady, connected == 0 else {
            throw Unexpected("no connection: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        Foundation.close(socket)
    }

    /// Closes both directions at once.
    func close() {
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Makes the end of this object reset the connection: nothing that is on its way arrives.
    func resetAtEnd() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Sends no more, but still receives.
    func closeOwnSide() {
        shutdown(socket, Int32(SHUT_WR))
    }

    /// Whether the server has closed the connection, or at least its side of it.
    var isOver: Bool {
        var state = pollfd(fd: socket, events: Self.closedByServer, revents: 0)
        return poll(&state, 1, 0) > 0
    }

    /// Whether something has arrived, or the server has closed the connection.
    var hasAnswer: Bool {
        var state = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) > 0
    }

    #if os(Linux)
        /// POLLRDHUP.
        private static let closedByServer: Int16 = 0x2000
    #else
        private static let closedByServer = Int16(POLLHUP)
    #endif

    /// Sends as much as the server accepts. A failure is ignored: the server may have answered and
    /// closed before reading everything.
    func send(_ bytes: Data) {
        #if os(Linux)
            let flags = Int32(MSG_NOSIGNAL)
        #else
            let flags: Int32 = 0
        #endif
        var rest = [UInt8](bytes)[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                Foundation.send(socket, $0.baseAddress, $0.count, flags)
            }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }

    func send(_ text: String) { send(Data(text.utf8)) }

    /// Sends until the server has read nothing for a second, and returns the number of sent bytes.
    func sendUntilNobodyReads(atMost most: Int) -> Int {
        #if os(Linux)
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        #else
            let flags = MSG_DONTWAIT
        #endif
        let bytes = [UInt8](repeating: 0, count: 1 << 16)
        var count = 0
        while count < most {
            let sent = Foundation.send(socket, bytes, bytes.count, flags)
            if sent > 0 {
                count += sent
            } else {
                var state = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
                guard [EAGAIN, EINTR].contains(errno), poll(&state, 1, 1000) > 0 else { break }
            }
        }
        return count
    }

    /// Receives a number of bytes, or fewer if the server closes the connection.
    func receive(_ count: Int) async -> Data {
        await offloaded { self.receiveBlocking(count) }
    }

    /// The same, keeping the thread until then.
    func receiveBlocking(_ count: Int) -> Data {
        var bytes = Data()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count < count {
            let received = recv(socket, &buffer, min(buffer.count, count - bytes.count), 0)
            guard received > 0 else { break }
            bytes += buffer[..<received]
        }
        return bytes
    }

    /// Receives up to and including a text, or everything if the server closes the connection
    /// before.
    func receive(until end: String) async -> String {
        let socket = socket
        let end = Data(end.utf8)
        return await offloaded {
            var bytes = Data()
            var byte: UInt8 = 0
            while bytes.suffix(end.count) != end, recv(socket, &byte, 1, 0) == 1 {
                bytes.append(byte)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Receives everything until the server closes the connection.
    func receiveAll() async -> String {
        String(decoding: await receive(.max), as: UTF8.self)
    }
}

private func withSocketAddress(
    _ text: String, _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr(text)
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}

extension Client {
    /// A sync request as text, with `Connection: close`.
    func wireRequest(_ request: SyncRequest) throws -> Data {
        let body = try JSONEncoder().encode(request)
        let head = """
            POST /v1/test/sync HTTP/1.1\r
            Host: 127.0.0.1\r
            Authorization: Bearer \(token)\r
            Content-Type: application/json\r
            Connection: close\r
            Content-Length: \(body.count)\r
            \r

            """
        return Data(head.utf8) + body
    }
}
