import CLinux
import Glibc

/// One or more requests, sent one after the other on one connection.
final class Exchange {
    let requests: [Request]
    /// How many fresh guids it needs.
    let freshGuids: Int
    /// Some request holds the answer to the first one.
    let usesAnswer: Bool

    init(_ requests: [Request], freshGuids: Int) {
        self.requests = requests
        self.freshGuids = freshGuids
        usesAnswer = requests.contains { request in
            request.pieces.contains { if case .answer = $0 { true } else { false } }
        }
    }
}

struct Request {
    enum Piece {
        case bytes(UnsafeRawBufferPointer)
        /// The fresh guid of this number in the exchange.
        case fresh(Int)
        /// The answer to the exchange's first request.
        case answer
    }

    let pieces: [Piece]
    let expectation: Expectation
}

/// What is right for an answer.
struct Expectation {
    enum Text {
        case any
        case with([UInt8])
        case without([UInt8])
    }

    let status: Int
    let text: Text

    var looksAtBody: Bool { if case .any = text { false } else { true } }

    func isMet(by body: [UInt8]) -> Bool {
        switch text {
        case .any: true
        case .with(let text): body.contains(text)
        case .without(let text): !body.contains(text)
        }
    }
}

/// The file that says what is to be played; its format is in `Settings.help`. It stays in memory to
/// the end of the process.
struct RequestFile {
    private let path: String
    private let bytes: UnsafeRawBufferPointer

    init(path: String) throws(Failure) {
        self.path = path
        let file = open(path, O_RDONLY)
        guard file >= 0 else { throw .system("'\(path)' cannot be read") }
        defer { close(file) }
        var about = stat()
        guard fstat(file, &about) == 0 else { throw .system("'\(path)' cannot be read") }
        guard about.st_size > 0 else { throw Failure("'\(path)' has no requests") }
        let place = mmap(nil, about.st_size, PROT_READ, MAP_PRIVATE, file, 0)
        guard let place, place != MAP_FAILED else { throw .system("'\(path)' cannot be read") }
        bytes = UnsafeRawBufferPointer(start: place, count: about.st_size)
    }

    func exchanges() throws(Failure) -> [Exchange] {
        var exchanges: [Exchange] = []
        var requests: [Request] = []
        var guids = Guids()
        var offset = 0
        while offset < bytes.count {
            let line = try line(at: offset)
            if line.isFirst, !requests.isEmpty {
                exchanges.append(Exchange(requests, freshGuids: guids.count))
                requests = []
                guids = Guids()
            }
            guard line.isFirst || !requests.isEmpty else {
                throw broken(at: offset, "'then' follows no request")
            }
            let body = UnsafeRawBufferPointer(rebasing: bytes[line.body])
            requests.append(
                Request(pieces: guids.pieces(of: body), expectation: line.expectation))
            offset = line.body.upperBound
        }
        exchanges.append(Exchange(requests, freshGuids: guids.count))
        return exchanges
    }

    private struct Line {
        let isFirst: Bool
        let expectation: Expectation
        let body: Range<Int>
    }

    private func line(at offset: Int) throws(Failure) -> Line {
        guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) else {
            throw broken(at: offset, "the line does not end")
        }
        let text = String(decoding: bytes[offset..<end], as: UTF8.self)
        let words = text.split(separator: " ", maxSplits: 4).map(String.init)
        guard words.count == 3 || words.count == 5, ["first", "then"].contains(words[0]),
            let status = Int(words[1]), let length = Int(words[2]), length > 0
        else { throw broken(at: offset, "'\(text)' is no line of a request") }
        guard end + 1 + length <= bytes.count else {
            throw broken(at: offset, "the request is shorter than \(length) bytes")
        }
        let wanted: Expectation.Text
        switch words.dropFirst(3).first {
        case nil: wanted = .any
        case "with"?: wanted = .with(Array(words[4].utf8))
        case "without"?: wanted = .without(Array(words[4].utf8))
        case .some(let word): throw broken(at: offset, "'\(word)' is neither 'with' nor 'without'")
        }
        return Line(
            isFirst: words[0] == "first", expectation: Expectation(status: status, text: wanted),
            body: (end + 1)..<(end + 1 + length))
    }

    private func broken(at offset: Int, _ what: String) -> Failure {
        Failure("'\(path)', byte \(offset): \(what)", help: "'load --help' says how it is written")
    }
}

/// Gives what stands for guids in an exchange its numbers.
private struct Guids {
    private var numbers: [[UInt8]: Int] = [:]

    var count: Int { numbers.count }

    private static let start = Array("ffffffff-ffff-4fff-8fff-".utf8)
    private static let answer = Array("ffffffffffff".utf8)

    mutating func pieces(of request: UnsafeRawBufferPointer) -> [Request.Piece] {
        var pieces: [Request.Piece] = []
        var rest = request
        while let found = rest.first(Self.start), found + freshGuidBytes <= rest.count {
            let end = found + freshGuidBytes
            let number = Array(rest[(found + Self.start.count)..<end])
            pieces.append(.bytes(UnsafeRawBufferPointer(rebasing: rest[..<found])))
            pieces.append(number == Self.answer ? .answer : .fresh(self.number(of: number)))
            rest = UnsafeRawBufferPointer(rebasing: rest[end...])
        }
        return pieces + [.bytes(rest)]
    }

    private mutating func number(of digits: [UInt8]) -> Int {
        if let number = numbers[digits] { return number }
        numbers[digits] = count
        return count - 1
    }
}

extension UnsafeRawBufferPointer {
    /// Where the text begins.
    fileprivate func first(_ text: [UInt8]) -> Int? {
        guard let start = baseAddress, let found = memmem(start, count, text, text.count) else {
            return nil
        }
        return found - UnsafeMutableRawPointer(mutating: start)
    }
}

extension [UInt8] {
    fileprivate func contains(_ text: [UInt8]) -> Bool {
        withUnsafeBytes { $0.first(text) != nil }
    }
}
