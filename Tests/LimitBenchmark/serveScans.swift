import Foundation

/// Serves each connection on a thread with a database connection of its own, until the process is
/// stopped.
func serveScans(of path: String) throws(Failure) {
    // Keeps the database open; otherwise each connection would recreate the write-ahead log.
    let database = try RawDatabase(path: path)
    defer { withExtendedLifetime(database) {} }
    signal(SIGPIPE, SIG_IGN)
    let listener = try listeningSocket()
    FileHandle.standardOutput.write(Data("http://127.0.0.1:\(try port(of: listener))\n".utf8))
    while true {
        let socket = accept(listener, nil, nil)
        guard socket >= 0 else { throw .system("a connection cannot be had") }
        Thread.detachNewThread {
            defer { close(socket) }
            do throws(Failure) {
                try ScanConnection(socket, RawDatabase(path: path)).serve()
            } catch {
                FileHandle.standardError.write(Data("LimitBenchmark: \(error.message)\n".utf8))
            }
        }
    }
}

private func listeningSocket() throws(Failure) -> CInt {
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
    }
    guard listener >= 0, result == 0, listen(listener, 128) == 0 else {
        throw .system("no port can be had")
    }
    return listener
}

private func port(of listener: CInt) throws(Failure) -> UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            getsockname(listener, $0, &size)
        }
    }
    guard result == 0 else { throw .system("the port is not known") }
    return UInt16(bigEndian: address.sin_port)
}

/// Reads requests and answers them with the texts of rows.
private struct ScanConnection {
    private let socket: CInt
    private let texts: RawStatement
    private let records: RawStatement
    /// Retained as long as the statements.
    private let database: RawDatabase

    init(_ socket: CInt, _ database: RawDatabase) throws(Failure) {
        self.socket = socket
        self.database = database
        texts = try database.prepare(
            "SELECT fields FROM records WHERE place > ? ORDER BY place LIMIT ?")
        records = try database.prepare(
            """
            SELECT fields, group_name, guid, model, owner, revision
            FROM records WHERE place > ? ORDER BY place LIMIT ?
            """)
        var on: CInt = 1
        setsockopt(
            socket, CInt(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
    }

    func serve() throws(Failure) {
        var body: [UInt8] = []
        while let request = try nextRequest() {
            let scan = request.isForTexts ? texts : records
            scan.bind(request.place, at: 0)
            scan.bind(request.limit, at: 1)
            body.removeAll(keepingCapacity: true)
            body.append(UInt8(ascii: "["))
            while try scan.step() {
                if body.count > 1 { body.append(UInt8(ascii: ",")) }
                if request.isForTexts {
                    body.append(contentsOf: scan.bytes(at: 0))
                } else {
                    appendRecord(scan, to: &body)
                }
            }
            body.append(UInt8(ascii: "]"))
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n"
            try send(Array(head.utf8), isMoreToCome: true)
            try send(body, isMoreToCome: false)
        }
    }

    /// Encodes like the server for a record without deletion, conflict, and characters to escape.
    private func appendRecord(_ row: RawStatement, to body: inout [UInt8]) {
        append(#"{"conflicted":false,"deleted":false,"fields":"#, to: &body)
        body.append(contentsOf: row.bytes(at: 0))
        append(#","group":""#, to: &body)
        body.append(contentsOf: row.bytes(at: 1))
        append(#"","guid":""#, to: &body)
        body.append(contentsOf: row.bytes(at: 2))
        append(#"","model":""#, to: &body)
        body.append(contentsOf: row.bytes(at: 3))
        append(#"","owner":""#, to: &body)
        body.append(contentsOf: row.bytes(at: 4))
        append(#"","revision":"#, to: &body)
        body.append(contentsOf: row.bytes(at: 5))
        append("}", to: &body)
    }

    private func append(_ text: StaticString, to body: inout [UInt8]) {
        body.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Nil if the client has closed the connection.
    private func nextRequest() throws(Failure) -> ScanRequest? {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(socket, &bytes, bytes.count, 0)
            guard count >= 0 || errno == ECONNRESET else { throw .system("a request is broken") }
            guard count > 0 else { return nil }
            head.append(contentsOf: bytes[..<count])
        }
        return try ScanRequest(head: String(decoding: head, as: UTF8.self))
    }

    private func send(_ bytes: [UInt8], isMoreToCome: Bool) throws(Failure) {
        let flags = CInt(isMoreToCome ? MSG_NOSIGNAL | MSG_MORE : MSG_NOSIGNAL)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Foundation.send(socket, $0.baseAddress! + sent, $0.count - sent, flags)
            }
            guard count >= 0 || errno == EINTR else { throw .system("an answer cannot be sent") }
            sent += max(0, count)
        }
    }
}

private struct ScanRequest {
    let isForTexts: Bool
    let place: Int64
    let limit: Int64

    init(head: String) throws(Failure) {
        let words = head.split(separator: " ")
        let parts = words.count > 1 ? words[1].split(separator: "/") : []
        guard parts.count == 3, ["texts", "records"].contains(parts[0]),
            let place = Int64(parts[1]), let limit = Int64(parts[2])
        else { throw Failure("a request has neither '/texts/PLACE/LIMIT' nor '/records/…'") }
        isForTexts = parts[0] == "texts"
        self.place = place
        self.limit = limit
    }
}
