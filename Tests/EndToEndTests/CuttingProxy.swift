import Foundation
import Synchronization
import TestKit

/// A proxy between a device and the server, which cuts connections after a number of bytes of a
/// request or an answer.
final class CuttingProxy: Sendable {
    enum Cut: Hashable, Sendable {
        case request(afterBytes: Int)
        case answer(afterBytes: Int)
    }

    private enum Direction {
        case request
        case answer
    }

    private struct State {
        var target: Int
        var cut: Cut?
        /// For the last connection, since the last call of `cut`.
        var passed = (request: 0, answer: 0)
    }

    let port: Int
    private let listener: Int32
    private let state: Mutex<State>

    init(to target: Int) throws {
        state = Mutex(State(target: target))
        let (listener, port) = try listeningSocket()
        self.listener = listener
        self.port = port
        Thread.detachNewThread { [weak self] in
            acceptAll(on: listener) { accepted in
                if let self { self.serve(accepted) } else { Foundation.close(accepted) }
            }
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Directs later connections to another server.
    func goOn(to port: Int) { state.withLock { $0.target = port } }

    /// Cuts every connection that reaches this point from now on, including open ones: a client
    /// that finds an old connection broken retries with a new one. Nil cuts none.
    func cut(at cut: Cut?) {
        state.withLock { state in
            state.cut = cut
            state.passed = (0, 0)
        }
    }

    /// The bytes of requests and answers on the last connection, since the last call of `cut`.
    var lastSizes: (request: Int, answer: Int) { state.withLock { $0.passed } }

    /// Uses two threads per connection, one for each direction.
    private func serve(_ client: Int32) {
        guard let server = try? Self.connectedSocket(to: state.withLock { $0.target }) else {
            Foundation.close(client)
            return
        }
        state.withLock { $0.passed = (0, 0) }
        let cable = Cable(client: client, server: server)
        Thread.detachNewThread { [weak self] in
            cable.pump(from: client, to: server) { self?.allow($0, of: .request) ?? 0 }
        }
        Thread.detachNewThread { [weak self] in
            cable.pump(from: server, to: client) { self?.allow($0, of: .answer) ?? 0 }
        }
    }

    /// The number of these bytes to pass on; if smaller, the connection is cut after them.
    private func allow(_ count: Int, of direction: Direction) -> Int {
        state.withLock { state in
            let left =
                switch (direction, state.cut) {
                case (.request, .request(let bytes)?): bytes - state.passed.request
                case (.answer, .answer(let bytes)?): bytes - state.passed.answer
                case (.request, _), (.answer, _): count
                }
            let allowed = min(count, max(0, left))
            switch direction {
            case .request: state.passed.request += allowed
            case .answer: state.passed.answer += allowed
            }
            return allowed
        }
    }
}

/// The two ends of a connection, closed by the last thread that uses them.
private final class Cable: Sendable {
    private let client: Int32
    private let server: Int32

    init(client: Int32, server: Int32) {
        (self.client, self.server) = (client, server)
    }

    deinit {
        Foundation.close(client)
        Foundation.close(server)
    }

    /// Copies until either end closes or the cut is reached; then closes both.
    func pump(from source: Int32, to target: Int32, allowing: (Int) -> Int) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let received = recv(source, &buffer, buffer.count, 0)
            guard received > 0 else { break }
            let allowed = allowing(received)
            var sent = 0
            while sent < allowed {
                let count = buffer.withUnsafeBytes {
                    send(target, $0.baseAddress?.advanced(by: sent), allowed - sent, noSignal)
                }
                guard count > 0 else { break }
                sent += count
            }
            guard sent == received else { break }
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
