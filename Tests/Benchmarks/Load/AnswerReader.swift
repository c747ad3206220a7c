/// Parses an HTTP/1.1 response incrementally.
struct AnswerReader {
    private enum Part {
        case head
        /// The number of bytes of the body still to come.
        case body(Int)
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailer
        case whole
    }

    private var part = Part.head
    /// The incomplete line or head.
    private var text: [UInt8] = []
    private let keepsBody: Bool

    private(set) var status = 0
    private(set) var body: [UInt8] = []
    /// Whether the server closes the connection after this response.
    private(set) var isLast = false

    /// The body of a response with an unexpected status is always kept.
    init(keepsBody: Bool, expectedStatus: Int) {
        self.keepsBody = keepsBody
        self.expectedStatus = expectedStatus
    }

    private let expectedStatus: Int

    var isWhole: Bool { if case .whole = part { true } else { false } }

    /// Whether the head is complete.
    var hasBegun: Bool { if case .head = part { false } else { true } }

    mutating func take(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch part {
            case .head: try takeHead(&rest)
            case .body(let count):
                let left = keep(count, &rest)
                part = left == 0 ? .whole : .body(left)
            case .chunkSize:
                guard let line = takeLine(&rest) else { return }
                let digits = String(decoding: line.prefix { $0 != 0x3B }, as: UTF8.self)
                guard let count = Int(digits, radix: 16), count >= 0 else {
                    throw Failure("'\(digits)' is no size of a chunk")
                }
                part = count == 0 ? .trailer : .chunk(count)
            case .chunk(let count):
                let left = keep(count, &rest)
                part = left == 0 ? .chunkEnd : .chunk(left)
            case .chunkEnd:
                guard takeLine(&rest) != nil else { return }
                part = .chunkSize
            case .trailer:
                guard let line = takeLine(&rest) else { return }
                if line.isEmpty { part = .whole }
            case .whole: throw Failure("the server says more than it was asked")
            }
        }
    }

    /// Returns the number of bytes still to come.
    private mutating func keep(
        _ count: Int, _ rest: inout Slice<UnsafeRawBufferPointer>
    ) -> Int {
        let taken = min(count, rest.count)
        if keepsBody || status != expectedStatus { body.append(contentsOf: rest.prefix(taken)) }
        rest = rest.dropFirst(taken)
        return count - taken
    }

    /// A line without its line break; nil if it is incomplete.
    private mutating func takeLine(_ rest: inout Slice<UnsafeRawBufferPointer>) -> [UInt8]? {
        guard let end = rest.firstIndex(of: 0x0A) else {
            text.append(contentsOf: rest)
            rest = rest[rest.endIndex...]
            return nil
        }
        var line = text
        line.append(contentsOf: rest[..<end])
        if line.last == 0x0D { line.removeLast() }
        text.removeAll(keepingCapacity: true)
        rest = rest[(end + 1)...]
        return line
    }

    private mutating func takeHead(_ rest: inout Slice<UnsafeRawBufferPointer>) throws(Failure) {
        while let line = takeLine(&rest) {
            if status == 0 {
                status = try Self.status(of: line)
            } else if line.isEmpty {
                return endHead()
            } else {
                try takeHeader(line)
            }
        }
    }

    private static func status(of line: [UInt8]) throws(Failure) -> Int {
        let words = line.split(separator: 0x20, maxSplits: 2)
        guard words.count >= 2, words[0].elementsEqual("HTTP/1.1".utf8),
            let status = Int(String(decoding: words[1], as: UTF8.self))
        else { throw Failure("'\(String(decoding: line, as: UTF8.self))' begins no answer") }
        return status
    }

    private var length: Int?
    private var isChunked = false

    private mutating func takeHeader(_ line: [UInt8]) throws(Failure) {
        guard let colon = line.firstIndex(of: 0x3A) else {
            throw Failure("'\(String(decoding: line, as: UTF8.self))' is no header")
        }
        // Skips headers with names of other lengths without creating strings.
        guard colon == 10 || colon == 14 || colon == 17 else { return }
        let value = String(decoding: line[(colon + 1)...].drop { $0 == 0x20 }, as: UTF8.self)
        switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
        case "content-length":
            guard let count = Int(value) else { throw Failure("'\(value)' is no length") }
            length = count
        case "transfer-encoding": isChunked = value.lowercased() == "chunked"
        case "connection": isLast = value.lowercased() == "close"
        case _: return
        }
    }

    private mutating func endHead() {
        if (100..<200).contains(status) {
            status = 0
        } else if status == 204 || status == 304 {
            part = .whole
        } else if isChunked {
            part = .chunkSize
        } else {
            part = (length ?? 0) == 0 ? .whole : .body(length ?? 0)
        }
    }
}
