import Foundation
import HTTPTypes
import Hummingbird
import SyncEngine
import SyncServer
import Synchronization
import Testing

// A part of these tests, because they count the threads of servers.
extension WireTests {
    @Suite("GET /health is answered whatever goes on", .timeLimit(.minutes(2)))
    struct HealthTests {
        private let database: ServedDatabase

        init() throws { database = try ServedDatabase() }

        /// As by requests that decode for long. Nothing is awaited while the threads are taken.
        @Test func allThreadsMayBeTaken() async throws {
            let occupation = Occupation()
            let wires = [OccupyingWire(occupation)]
            try await withServer(of: database, wires: wires) { address in
                let port = try port(of: address)
                let sockets = (0..<64).map { _ in openSocket(to: port) }
                for socket in sockets {
                    write("GET /occupy/now HTTP/1.1\r\nHost: x\r\n\r\n", to: socket)
                }
                let answer = answerWhileOccupied(occupation, port: port)
                for socket in sockets { close(socket) }
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(answer)")
                #expect(answer.hasSuffix(#"{"status":"ok"}"#), "\(answer)")
            }
        }

        /// For some seconds the last answer of the database counts.
        @Test func databaseThatDoesNotAnswerIsReported() async throws {
            let (answers, answer) = AsyncStream.makeStream(of: Void.self)
            database.checking.withLock { checking in
                checking = { for await _ in answers { return } }
            }
            try await withServer(of: database, wires: []) { address in
                defer { answer.finish() }
                let port = try port(of: address)
                #expect(health(at: port).hasPrefix("HTTP/1.1 200 "))
                let deadline = ContinuousClock.now.advanced(by: .seconds(240))
                var last = health(at: port)
                while last.hasPrefix("HTTP/1.1 200 ") && ContinuousClock.now < deadline {
                    last = health(at: port)
                }
                #expect(last.hasPrefix("HTTP/1.1 503 "), "\(last)")
                #expect(last.contains(#""code":"databaseUnavailable""#), "\(last)")
                answer.yield()
                while last.hasPrefix("HTTP/1.1 503 ") && ContinuousClock.now < deadline {
                    last = health(at: port)
                }
                #expect(last.hasPrefix("HTTP/1.1 200 "), "\(last)")
            }
        }

        @Test func databaseThatFailsIsReported() async throws {
            database.checking.withLock { checking in
                checking = { () async throws(SyncError) in
                    throw .store(.unavailable("it is gone"))
                }
            }
            try await withServer(of: database, wires: []) { address in
                let answer = health(at: try port(of: address))
                #expect(answer.hasPrefix("HTTP/1.1 503 "), "\(answer)")
                #expect(answer.contains("Retry-After: 1\r\n") && !answer.contains("it is gone"))
            }
        }
    }
}

/// Takes the threads that all tasks share.
private final class Occupation: Sendable {
    private let entered = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)

    func occupy() {
        entered.signal()
        released.wait()
    }

    /// Waits until a thread is taken; false if none is left.
    func isOneMoreTaken() -> Bool { entered.wait(timeout: .now() + .milliseconds(500)) == .success }

    func release() { for _ in 0..<1000 { released.signal() } }
}

/// The caller has the last thread.
private func answerWhileOccupied(_ occupation: Occupation, port: Int) -> String {
    while occupation.isOneMoreTaken() {}
    let answer = health(at: port)
    occupation.release()
    return answer
}

/// A request occupies its thread.
private struct OccupyingWire: Wire {
    let occupation: Occupation

    init(_ occupation: Occupation) { self.occupation = occupation }

    func routes(in host: WireHost) -> WireRoutes {
        var routes = WireRoutes(prefix: "/occupy")
        routes.on(.get, "now") { [occupation] _, _ in
            occupation.occupy()
            return Response(status: .ok)
        }
        return routes
    }
}

private func port(of address: String) throws -> Int {
    try #require(address.split(separator: ":").last.flatMap { Int($0) })
}

private func health(at port: Int) -> String {
    let socket = openSocket(to: port)
    defer { close(socket) }
    write("GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", to: socket)
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while case let count = recv(socket, &buffer, buffer.count, 0), count > 0 {
        bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
}

/// A socket that gives up after four minutes.
private func openSocket(to port: Int) -> Int32 {
    #if os(Linux)
        let type = Int32(SOCK_STREAM.rawValue)
    #else
        let type = SOCK_STREAM
    #endif
    let opened = socket(AF_INET, type, 0)
    var deadline = timeval(tv_sec: 240, tv_usec: 0)
    setsockopt(
        opened, SOL_SOCKET, SO_RCVTIMEO, &deadline, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            _ = connect(opened, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    return opened
}

private func write(_ text: String, to socket: Int32) {
    let bytes = Array(text.utf8)
    _ = send(socket, bytes, bytes.count, 0)
}
