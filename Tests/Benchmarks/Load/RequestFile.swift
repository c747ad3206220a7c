import CLinux
import Glibc

/// Requests that are sent one after another on one connection.
final class Exchange {
    let requests: [Request]
    /// The number of fresh guids that it needs.
    let freshGuids: Int
    /// Whether a request contains the response to the first one.
    let usesAnswer: Bool
    /// Whether a request contains guids of an earlier run.
    let namesEarlier: Bool
    /// The digits of the kept number in the last correct response.
    var kept: [UInt8]
    /// Fresh guids of completed runs, until another run has used them.
    var earlier: [[UInt8]] = []

    init(_ requests: [Request], freshGuids: Int) {
        self.requests = requests
        kept = requests.lazy.compactMap(\.expectation.firstNumber).first ?? []
        self.freshGuids = freshGuids
        let pieces = requests.lazy.flatMap(\.pieces)
        usesAnswer = pieces.contains { if case .answer = $0 { true } else { false } }
        namesEarlier = pieces.contains { if case .earlier = $0 { true } else { false } }
    }
}

struct Request {
    enum Piece {
        case bytes(UnsafeRawBufferPointer)
        /// The fresh guid with this number in the exchange.
        case fresh(Int)
        /// The fresh guid with this number in an earlier run of the exchange.
        case earlier(Int)
        /// The response to the first request of the exchange.
        case answer
        /// The kept number, padded with spaces to this length.
        case kept(length: Int)
    }

    let pieces: [Piece]
    let expectation: Expectation
}

/// The conditions for a correct response.
struct Expectation {
    enum Text {
        case any
        case with([UInt8])
        case without([UInt8])
        /// After `after` there is a number other than the kept one; `first` is its initial value.
        case number(after: [UInt8], first: [UInt8])
    }

    let status: Int
    let text: Text

    var looksAtBody: Bool { if case .any = text { false } else { true } }

    var firstNumber: [UInt8]? {
        if case .number(_, let first) = text { first } else { nil }
    }

    /// Stores the number to keep.
    func isMet(by body: [UInt8], kept: inout [UInt8]) -> Bool {
        switch text {
        case .any: return true
        case .with(let text): return body.contains(text)
        case .without(let text): return !body.contains(text)
        case .number(let text, _):
            guard let number = body.digits(after: text), number != kept else { return false }
            kept = number
            return true
        }
    }
}

/// The file with the requests, in the format described by `Settings.help`. It stays in memory until
/// the process ends.
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
        let wanted = try wantedText(words.dropFirst(3), at: offset)
        return Line(
            isFirst: words[0] == "first", expectation: Expectation(status: status, text: wanted),
            body: (end + 1)..<(end + 1 + length))
    }

    private func wantedText(
        _ words: ArraySlice<String>, at offset: Int
    ) throws(Failure) -> Expectation.Text {
        guard let word = words.first, let text = words.last else { return .any }
        switch word {
        case "with": return .with(Array(text.utf8))
        case "without": return .without(Array(text.utf8))
        case "number":
            let parts = text.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[0].allSatisfy(\.isNumber) else {
                throw broken(at: offset, "'number' needs the first number and a text")
            }
            return .number(after: Array(parts[1].utf8), first: Array(parts[0].utf8))
        case _:
            throw broken(at: offset, "'\(word)' is neither 'with', 'without' nor 'number'")
        }
    }

    private func broken(at offset: Int, _ what: String) -> Failure {
        Failure("'\(path)', byte \(offset): \(what)", help: "'load --help' says how it is written")
    }
}

/// Assigns numbers to the placeholders for guids.
private struct Guids {
    private var numbers: [[UInt8]: Int] = [:]

    var count: Int { numbers.count }

    private static let start = Array("ffffffff-ffff-4fff-8ff".utf8)
    private static let fresh = Array("f-".utf8)
    private static let earlier = Array("e-".utf8)
    private static let answer = Array("ffffffffffff".utf8)
    private static let kept = Array("eeeeeeeeeeee".utf8)

    mutating func pieces(of request: UnsafeRawBufferPointer) -> [Request.Piece] {
        var pieces: [Request.Piece] = []
        var rest = request
        let headEnd = request.first(Array("\r\n\r\n".utf8)) ?? request.count
        while let found = rest.first(Self.start), found + freshGuidBytes <= rest.count {
            let end = found + freshGuidBytes
            let number = Array(rest[(end - Self.answer.count)..<end])
            let kind = Array(rest[(found + Self.start.count)..<(end - Self.answer.count)])
            pieces.append(.bytes(UnsafeRawBufferPointer(rebasing: rest[..<found])))
            switch (kind, number) {
            case (Self.fresh, Self.answer): pieces.append(.answer)
            case (Self.fresh, Self.kept):
                // The head contains the length of the body.
                let isInBody = request.count - rest.count + found > headEnd
                pieces.append(.kept(length: isInBody ? freshGuidBytes : 0))
            case (Self.fresh, _): pieces.append(.fresh(self.number(of: number)))
            case (Self.earlier, _): pieces.append(.earlier(self.number(of: number)))
            case _: pieces.append(.bytes(UnsafeRawBufferPointer(rebasing: rest[found..<end])))
            }
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
    /// The index of the text.
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

    /// Nil if there is no number after the first occurrence.
    fileprivate func digits(after text: [UInt8]) -> [UInt8]? {
        guard let start = withUnsafeBytes({ $0.first(text) }) else { return nil }
        let digits = self[(start + text.count)...].prefix { (0x30...0x39).contains($0) }
        return digits.isEmpty ? nil : Array(digits)
    }
}
