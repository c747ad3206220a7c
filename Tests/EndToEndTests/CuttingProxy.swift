import Foundation
import Synchronization

/// Stands between a device and the server, and cuts a connection after so many bytes of the request
/// or of the answer have passed.
final class CuttingProxy: Sendable {
    enum Cut: Hashable, Sendable {
        case request(afterBytes: Int)
        case answer(afterBytes: Int)
    }

    let port: Int
    private let listener: Int32
    private let target: Mutex<Int>
    private let cut = Mutex<Cut?>(nil)
    /// Of the last exchange that was let through.
    private let passed = Mutex((request: 0, answer: 0))

    init(to target: Int) throws {
        self.target = Mutex(target)
        listener = try Self.listeningSocket()
        port = try Self.port(of: listener)
        let listener = listener
        Thread.detachNewThread { [weak self] in
            while true {
                let accepted = accept(listener, nil, nil)
                guard accepted >= 0 else { return }
                guard let self else {
                    Foundation.close(accepted)
                    return
                }
                self.serve(accepted)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        Foundation.close(listener)
    }

    /// Later connections are to another server.
    func goOn(to port: Int) { target.withLock { $0 = port } }

    /// Cuts the next connection only.
    func cutNext(_ cut: Cut?) { self.cut.withLock { $0 = cut } }

    /// Bytes of the request and of the answer of the last connection.
    var lastSizes: (request: Int, answer: Int) { passed.withLock { $0 } }

    /// Each connection has two threads, one for each direction.
    private func serve(_ client: Int32) {
        guard let server = try? Self.connectedSocket(to: target.withLock { $0 }) else {
            Foundation.close(client)
            return
        }
        let cut = cut.withLock { cut in
            defer { cut = nil }
            return cut
        }
        var limits = (request: Int.max, answer: Int.max)
        switch cut {
        case .request(let bytes)?: limits.request = bytes
        case .answer(let bytes)?: limits.answer = bytes
        case nil: break
        }
        passed.withLock { $0 = (0, 0) }
        Thread.detachNewThread { [weak self, limits] in
            Self.pump(from: client, to: server, upTo: limits.request) { count in
                self?.passed.withLock { $0.request += count }
            }
        }
        Thread.detachNewThread { [weak self, limits] in
            Self.pump(from: server, to: client, upTo: limits.answer) { count in
                self?.passed.withLock { $0.answer += count }
            }
        }
    }

    /// Until either end closes, or the limit is reached; then both are closed.
    private static func pump(
        from source: Int32, to target: Int32, upTo limit: Int, noting: (Int) -> Void
    ) {
        var left = limit
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while left > 0 {
            let received = recv(source, &buffer, min(buffer.count, left), 0)
            guard received > 0 else { break }
            // Whoever gets the last of it may ask at once how much it was.
            noting(received)
            var sent = 0
            while sent < received {
                let count = buffer.withUnsafeBytes {
                    send(target, $0.baseAddress?.advanced(by: sent), received - sent, noSignal)
                }
                guard count > 0 else { break }
                sent += count
            }
            guard sent == received else { break }
            left -= received
        }
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(target, Int32(SHUT_RDWR))
    }
}

#if os(Linux)
    private let noSignal = Int32(MSG_NOSIGNAL)
    private let streamType = Int32(SOCK_STREAM.rawValue)
#else
    private let noSignal: Int32 = 0
    private let streamType = SOCK_STREAM
#endif

extension CuttingProxy {
    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }

    private static func listeningSocket() throws -> Int32 {
        let socket = Foundation.socket(AF_INET, streamType, 0)
        var address = address(0)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
        }
        guard bound == 0, listen(socket, 64) == 0 else { throw Unexpected("no port is free") }
        return socket
    }

    private static func port(of socket: Int32) throws -> Int {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let found = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
        }
        guard found == 0 else { throw Unexpected("a listening socket has no name") }
        return Int(in_port_t(bigEndian: address.sin_port))
    }

    private static func connectedSocket(to port: Int) throws -> Int32 {
        let socket = Foundation.socket(AF_INET, streamType, 0)
        var address = address(port)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
        }
        guard connected == 0 else {
            Foundation.close(socket)
            throw Unexpected("no connection to the server")
        }
        return socket
    }
}
