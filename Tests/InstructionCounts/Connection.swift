import Foundation
import Synchronization

/// A connection to a server of this process, for one request at a time. It waits for each answer,
/// and takes few instructions of its own.
final class Connection: Sendable {
    private let socket: Int32
    /// The memory of answers. To clear it for each one took most of the instructions of small ones.
    private let chunk = Mutex([UInt8](repeating: 0, count: 1 << 20))

    init(port: Int) throws {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        socket = Foundation.socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, size)
            }
        }
        guard code == 0 else { throw ConnectionFailure() }
    }

    deinit { close(socket) }

    /// The body of the answer. Throws unless it is a success with a length.
    func answer(to request: [UInt8]) throws -> [UInt8] {
        guard send(socket, request, request.count, 0) == request.count else {
            throw ConnectionFailure()
        }
        return try chunk.withLock { chunk in
            var answer: [UInt8] = []
            var end: Int?
            while answer.count < end ?? .max {
                let count = recv(socket, &chunk, chunk.count, 0)
                guard count > 0 else { throw ConnectionFailure() }
                answer += chunk.prefix(count)
                end = try end ?? Self.end(of: answer)
            }
            return Array(answer.suffix((end ?? 0) - Self.bodyStart(of: answer)))
        }
    }

    /// The size of the whole answer; nil while its head is not there.
    private static func end(of answer: [UInt8]) throws -> Int? {
        let start = bodyStart(of: answer)
        guard start > 0 else { return nil }
        let head = String(decoding: answer.prefix(start), as: UTF8.self).lowercased()
        let lines = head.split(separator: "\r\n")
        guard head.hasPrefix("http/1.1 20"),
            let length = lines.first(where: { $0.hasPrefix("content-length:") })?
                .split(separator: " ").last.flatMap({ Int($0) })
        else { throw ConnectionFailure(answer: String(decoding: answer, as: UTF8.self)) }
        return start + length
    }

    /// 0 while the head is not there.
    private static func bodyStart(of answer: [UInt8]) -> Int {
        Data(answer.prefix(4096)).range(of: Data("\r\n\r\n".utf8))?.upperBound ?? 0
    }
}

/// A connection that broke, or an answer that is no success.
struct ConnectionFailure: Error {
    var answer = ""
}
