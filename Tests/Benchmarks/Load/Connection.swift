import Glibc

/// A connection to the server, and the exchange in progress on it.
final class Connection {
    let number: Int
    let socket: CInt
    /// The number of exchanges begun on the connection.
    private(set) var begun = 0
    /// The start time for the latency of the current exchange.
    private(set) var due = Moment(nanoseconds: 0)

    private var exchange: Exchange?
    private var step = 0
    private var guids: [UInt8] = []
    private var earlierGuids: [UInt8] = []
    private var firstAnswer: [UInt8] = []
    private var output: [UInt8] = []
    private var sent = 0
    private var reader = AnswerReader(keepsBody: false, expectedStatus: 0)

    private(set) var bytesSent = 0
    private(set) var bytesReceived = 0

    init(number: Int, port: UInt16) throws(Failure) {
        self.number = number
        socket = Glibc.socket(
            AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), CInt(IPPROTO_TCP))
        guard socket >= 0 else { throw .system("a socket") }
        var on: CInt = 1
        setsockopt(
            socket, CInt(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, size)
            }
        }
        guard result == 0 || errno == EINPROGRESS else { throw .system("no connection") }
    }

    deinit { close(socket) }

    var isBusy: Bool { exchange != nil }
    /// Whether there are bytes that the socket has not accepted yet.
    var wantsToWrite: Bool { sent < output.count }
    /// Whether the response to the current request has begun.
    var isAnswered: Bool { reader.hasBegun }

    /// Nil if the connection succeeded.
    var connectionFailure: Failure? {
        var code: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &size)
        return code == 0 ? nil : Failure("no connection: \(String(cString: strerror(code)))")
    }

    func begin(_ exchange: Exchange, due: Moment, _ fresh: inout FreshGuids) throws(Failure) {
        self.exchange = exchange
        self.due = due
        begun += 1
        step = 0
        fresh.write(exchange.freshGuids, to: &guids)
        if let earlier = exchange.earlier.popLast() {
            earlierGuids = earlier
        } else if exchange.namesEarlier {
            fresh.write(exchange.freshGuids, to: &earlierGuids)
        }
        try ask(exchange.requests[0])
    }

    private func ask(_ request: Request) throws(Failure) {
        output.removeAll(keepingCapacity: true)
        sent = 0
        for piece in request.pieces {
            switch piece {
            case .bytes(let bytes): output.append(contentsOf: bytes)
            case .fresh(let number): output.append(contentsOf: guids.guid(number))
            case .earlier(let number): output.append(contentsOf: earlierGuids.guid(number))
            case .answer: output.append(contentsOf: firstAnswer)
            case .kept(let length):
                let number = exchange?.kept ?? []
                output.append(contentsOf: number)
                output.append(
                    contentsOf: repeatElement(0x20, count: max(0, length - number.count)))
            }
        }
        let keepsBody =
            request.expectation.looksAtBody || (step == 0 && exchange?.usesAnswer == true)
        reader = AnswerReader(
            keepsBody: keepsBody, expectedStatus: request.expectation.status)
        try write()
    }

    func write() throws(Failure) {
        while sent < output.count {
            let count = output.withUnsafeBytes {
                send(socket, $0.baseAddress! + sent, $0.count - sent, CInt(MSG_NOSIGNAL))
            }
            if count < 0 {
                if errno == EAGAIN || errno == EINTR { return }
                throw .system("a request cannot be sent")
            }
            sent += count
            bytesSent += count
        }
    }

    enum Progress {
        case waiting
        /// A correct response with this status; further requests follow.
        case next(status: Int)
        case done(status: Int)
        /// An incorrect response; the exchange ends.
        case wrong(status: Int, body: [UInt8])
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Progress {
        while true {
            let count = recv(socket, buffer.baseAddress, buffer.count, 0)
            if count < 0 {
                if errno == EAGAIN || errno == EINTR { return .waiting }
                throw .system("an answer cannot be read")
            }
            guard count > 0 else { throw Failure("the server closed a connection") }
            bytesReceived += count
            try reader.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            if reader.isWhole { return try takeAnswer() }
            if count < buffer.count { return .waiting }
        }
    }

    private func takeAnswer() throws(Failure) -> Progress {
        guard let exchange else { throw Failure("the server says more than it was asked") }
        let expected = exchange.requests[step].expectation
        let status = reader.status
        guard status == expected.status,
            expected.isMet(by: reader.body, kept: &exchange.kept)
        else {
            self.exchange = nil
            return .wrong(status: status, body: reader.body)
        }
        if reader.isLast { throw Failure("the server ends a connection after an answer") }
        if step == 0, exchange.usesAnswer { firstAnswer = reader.body }
        step += 1
        guard step < exchange.requests.count else {
            if exchange.namesEarlier { exchange.earlier.append(guids) }
            self.exchange = nil
            return .done(status: status)
        }
        try ask(exchange.requests[step])
        return .next(status: status)
    }
}

extension [UInt8] {
    /// A guid in a sequence without separators.
    fileprivate func guid(_ number: Int) -> ArraySlice<UInt8> {
        self[(number * freshGuidBytes)..<((number + 1) * freshGuidBytes)]
    }
}
