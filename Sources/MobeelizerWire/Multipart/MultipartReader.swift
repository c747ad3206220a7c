/// An incremental parser of `multipart/form-data`.
///
/// It buffers only a possible beginning of a boundary and the headers of one part; contents are
/// passed on without a copy. The preamble before the first boundary and the epilogue after the last
/// are ignored.
package struct MultipartReader: Sendable {
    /// CR LF, two hyphens and the boundary. CR occurs nowhere else in it.
    private let delimiter: [UInt8]
    private let limits: MultipartLimits
    private var state: State
    /// The number of parts that have begun.
    private var parts = 0
    private var failure: MultipartError?

    private enum State: Hashable {
        /// In the contents of a part, or in the preamble. `matched` bytes of the delimiter are held
        /// back.
        case contents(matched: Int)
        /// After the delimiter; `tail` follows it.
        case delimiter(tail: [UInt8])
        case headers([UInt8])
        case ended
    }

    /// - Parameter contentType: The value of the request's `Content-Type` header, with the
    /// boundary.
    package init(
        contentType: String, limits: MultipartLimits = MultipartLimits()
    ) throws(MultipartError) {
        guard let header = HeaderValue(contentType), header.value == "multipart/form-data" else {
            throw .typeWrong(contentType)
        }
        guard let boundary = header.parameters["boundary"], isBoundary(boundary) else {
            throw .boundaryWrong
        }
        delimiter = Array("\r\n--\(boundary)".utf8)
        self.limits = limits
        // The first boundary may be at the very start, without a line break before it.
        state = .contents(matched: 2)
    }

    /// Parses the next chunk, split anywhere, and appends its events, including those before an
    /// error. After an error, every call throws the same error.
    package mutating func consume(
        _ bytes: [UInt8], into events: inout [MultipartEvent]
    ) throws(MultipartError) {
        if let failure { throw failure }
        var rest = bytes[...]
        do throws(MultipartError) {
            while !rest.isEmpty && state != .ended { try step(&rest, into: &events) }
        } catch {
            failure = error
            throw error
        }
    }

    /// Call this at the end of the body. Throws if the body is incomplete.
    package func finish() throws(MultipartError) {
        if let failure { throw failure }
        switch state {
        case .contents: throw parts == 0 ? .boundaryMissing : .cutOff
        case .delimiter, .headers: throw .cutOff
        case .ended: return
        }
    }

    private mutating func step(
        _ rest: inout ArraySlice<UInt8>, into events: inout [MultipartEvent]
    ) throws(MultipartError) {
        switch state {
        case .contents(let matched): passContents(&rest, matched: matched, to: &events)
        case .delimiter(let tail): try endDelimiter(&rest, after: tail, to: &events)
        case .headers(let headers): try gather(&rest, after: headers, to: &events)
        case .ended: break
        }
    }
}

// MARK: - Contents

extension MultipartReader {
    private mutating func passContents(
        _ rest: inout ArraySlice<UInt8>, matched: Int, to events: inout [MultipartEvent]
    ) {
        let search = rest.withUnsafeBufferPointer {
            DelimiterSearch(for: delimiter, in: $0, matched: matched)
        }
        if parts > 0 && search.released > 0 {
            events.append(.bytes(delimiter[..<search.released]))
        }
        if parts > 0 && search.contents > 0 {
            events.append(.bytes(rest.prefix(search.contents)))
        }
        rest = rest.dropFirst(search.searched)
        state =
            search.matched == delimiter.count
            ? .delimiter(tail: []) : .contents(matched: search.matched)
    }

    /// A boundary is followed by the end of its line or by two hyphens. Otherwise it belongs to the
    /// contents.
    private mutating func endDelimiter(
        _ rest: inout ArraySlice<UInt8>, after tail: [UInt8], to events: inout [MultipartEvent]
    ) throws(MultipartError) {
        guard let byte = rest.first else { return }
        switch DelimiterTail(tail + [byte]) {
        case .partFollows:
            if parts > 0 { events.append(.partEnded) }
            parts += 1
            guard parts <= limits.parts else { throw .tooManyParts(max: limits.parts) }
            state = .headers([])
        case .isLast:
            if parts > 0 { events.append(.partEnded) }
            events.append(.ended)
            state = .ended
        case .mayEnd: state = .delimiter(tail: tail + [byte])
        case .isContents: return try release(tail, before: byte, to: &events)
        }
        rest = rest.dropFirst()
    }

    private mutating func release(
        _ tail: [UInt8], before byte: UInt8, to events: inout [MultipartEvent]
    ) throws(MultipartError) {
        guard parts > 0 || byte != UInt8(ascii: "\n") else { throw .lineEndsWrong }
        let mayBeginAgain = tail.last == UInt8(ascii: "\r")
        let contents = delimiter + tail.dropLast(mayBeginAgain ? 1 : 0)
        if parts > 0 { events.append(.bytes(contents[...])) }
        state = .contents(matched: mayBeginAgain ? 1 : 0)
    }
}

// MARK: - Headers

extension MultipartReader {
    private mutating func gather(
        _ rest: inout ArraySlice<UInt8>, after earlier: [UInt8], to events: inout [MultipartEvent]
    ) throws(MultipartError) {
        var headers = earlier
        while let byte = rest.popFirst() {
            headers.append(byte)
            guard headers.count <= limits.headerBytes else {
                throw .headersTooLong(part: parts, maxBytes: limits.headerBytes)
            }
            guard byte == UInt8(ascii: "\n") else { continue }
            guard headers.dropLast().last == UInt8(ascii: "\r") else { throw .lineEndsWrong }
            guard headers.count == 2 || headers.suffix(4) == [13, 10, 13, 10] else { continue }
            events.append(.partBegan(try MultipartPart(headers: headers, number: parts)))
            state = .contents(matched: 0)
            return
        }
        state = .headers(headers)
    }
}

/// 1 to 70 of the characters that RFC 2046 allows, without a space at the end.
private func isBoundary(_ text: String) -> Bool {
    let marks = "'()+_,-./:=? ".utf8
    let isLegal = text.utf8.allSatisfy { byte in
        isLetterOrDigit(byte) || marks.contains(byte)
    }
    return (1...70).contains(text.utf8.count) && isLegal && text.utf8.last != UInt8(ascii: " ")
}

func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"):
        true
    default: false
    }
}
