import Foundation
import Synchronization

/// A server of somebody's own, to which notifications are posted.
final class CallbackReceiver: Sendable {
    /// A request that came.
    struct Call: Sendable {
        /// `POST /path HTTP/1.1`
        let line: String
        let headers: String
        let body: Data

        /// Without what follows a question mark.
        var path: String {
            String((line.split(separator: " ").dropFirst().first ?? "").prefix { $0 != "?" })
        }
    }

    let port: Int
    private let listener: Int32
    private let count = Mutex(0)
    private let calls: AsyncStream<Call>
    private let calling: AsyncStream<Call>.Continuation

    /// Answers each path with a status line, and what stands behind it; others with 204.
    init(answering answers: [String: String] = [:]) throws {
        let (listener, port) = try listeningSocket()
        self.listener = listener
        self.port = port
        (calls, calling) = AsyncStream.makeStream(of: Call.self)
        let calling = calling
        Thread.detachNewThread { [weak self] in
            while true {
                let accepted = accept(listener, nil, nil)
                guard accepted >= 0 else { return }
                self?.count.withLock { $0 += 1 }
                if let call = readCall(from: accepted) {
                    answer(accepted, answers[call.path] ?? "204 No Content")
                    calling.yield(call)
                }
                Foundation.close(accepted)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        Foundation.close(listener)
    }

    /// Whether somebody has connected.
    var wasCalled: Bool { count.withLock { $0 > 0 } }

    /// The next that came, or will come. For one at a time.
    func next() async -> Call? {
        var iterator = calls.makeAsyncIterator()
        return await iterator.next()
    }
}

private func answer(_ socket: Int32, _ status: String) {
    let text = "HTTP/1.1 \(status)\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    var bytes = [UInt8](text.utf8)[...]
    while !bytes.isEmpty {
        let sent = bytes.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, 0) }
        guard sent > 0 else { return }
        bytes = bytes.dropFirst(sent)
    }
}

private func readCall(from socket: Int32) -> CallbackReceiver.Call? {
    var bytes = Data()
    let end = Data("\r\n\r\n".utf8)
    while true {
        if let head = bytes.firstRange(of: end) {
            let text = String(decoding: bytes[..<head.lowerBound], as: UTF8.self)
            let length = text.firstMatch(of: /(?i:content-length): *(\d+)/).flatMap { Int($0.1) }
            let body = bytes[head.upperBound...]
            if body.count >= length ?? 0 {
                let line = text.prefix { $0 != "\r\n" }
                return CallbackReceiver.Call(
                    line: String(line), headers: text, body: Data(body))
            }
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let received = recv(socket, &buffer, buffer.count, 0)
        guard received > 0 else { return nil }
        bytes += buffer[..<received]
    }
}

/// On a free port.
private func listeningSocket() throws -> (Int32, port: Int) {
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
    guard bound == 0, listen(socket, 64) == 0, named == 0 else {
        throw Unexpected("no port is free")
    }
    return (socket, Int(in_port_t(bigEndian: address.sin_port)))
}
