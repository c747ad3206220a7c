/// A message that is written so often that it writes itself, with the bytes of an encoder.
package protocol JSONWritable {
    func write(to writer: inout JSONWriter)
}

/// Writes JSON byte by byte, without a tree of values in between: in the words of `JSONEncoder`
/// where that leaves slashes as they are. The caller sees to commas and the order of keys.
///
/// It keeps its memory itself: an array is asked at each of the many small pieces of an answer
/// whether somebody shares it, which took a fifth of a page.
package struct JSONWriter: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private var count = 0
    private var capacity: Int
    private let keepsDecimals: Bool

    /// `bytes` is about how many there will be. A decimal becomes a string, which every client can
    /// read exactly, unless it is to stay the number that it was.
    package init(expecting bytes: Int = 0, keepingDecimals keepsDecimals: Bool = false) {
        self.keepsDecimals = keepsDecimals
        capacity = max(bytes, 64)
        start = .allocate(capacity: capacity)
    }

    deinit { start.deallocate() }

    /// A copy of what was written so far.
    package var bytes: [UInt8] { [UInt8](UnsafeBufferPointer(start: start, count: count)) }

    /// The bytes written so far, without a copy.
    package borrowing func withBytes<Result>(
        _ use: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        use(UnsafeBufferPointer(start: start, count: count))
    }

    /// A copy of what was written so far.
    package var text: String {
        String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A piece of JSON that is right as it is.
    package mutating func piece(_ text: StaticString) {
        append(text.utf8Start, text.utf8CodeUnitCount)
    }

    /// A piece of JSON that was written before. Not for any sequence of bytes: what is generic here
    /// is not specialized in other rooms, and was half of the work of a pull.
    package mutating func piece(_ text: UnsafeBufferPointer<UInt8>) {
        guard let bytes = text.baseAddress else { return }
        append(bytes, text.count)
    }

    package mutating func piece(_ text: [UInt8]) {
        text.withUnsafeBufferPointer { piece($0) }
    }

    package mutating func piece(written text: String) {
        var text = text
        text.withUTF8 { piece($0) }
    }

    package mutating func flag(_ flag: Bool) { piece(flag ? "true" : "false") }

    package mutating func integer(_ number: Int64) {
        guard !(0..<10).contains(number) else { return append(UInt8(ascii: "0") + UInt8(number)) }
        piece(written: String(number))
    }

    package mutating func string(_ text: String) {
        var text = text
        text.withUTF8 { string($0) }
    }

    /// A string of UTF-8 bytes.
    package mutating func string(_ utf8: UnsafeBufferPointer<UInt8>) {
        append(UInt8(ascii: "\""))
        var start = 0
        while let index = firstToEscape(in: utf8, from: start) {
            piece(UnsafeBufferPointer(rebasing: utf8[start..<index]))
            escape(utf8[index])
            start = index + 1
        }
        piece(UnsafeBufferPointer(rebasing: utf8[start...]))
        append(UInt8(ascii: "\""))
    }

    private mutating func append(_ byte: UInt8) {
        if count == capacity { grow(by: 1) }
        start[count] = byte
        count += 1
    }

    private mutating func append(_ bytes: UnsafePointer<UInt8>, _ length: Int) {
        if length > capacity - count { grow(by: length) }
        (start + count).update(from: bytes, count: length)
        count += length
    }

    private mutating func grow(by length: Int) {
        capacity = max(2 * capacity, count + length)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
    }

    /// With commas between them. It goes into whatever calls it: what is generic would look up its
    /// types as it runs.
    @inlinable @inline(__always) package mutating func list<Element>(
        _ elements: [Element], writing write: (inout JSONWriter, Element) throws -> Void
    ) rethrows {
        piece("[")
        var isFirst = true
        for element in elements {
            if !isFirst { piece(",") }
            isFirst = false
            try write(&self, element)
        }
        piece("]")
    }

    /// As it encodes itself, with members in the order of their bytes.
    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null, .unrepresentable: piece("null")
        case .boolean(let boolean): flag(boolean)
        case .integer(let number): integer(number)
        case .decimal(let digits) where keepsDecimals: piece(written: digits)
        case .decimal(let text), .string(let text): string(text)
        case .array(let elements): list(elements) { $0.value($1) }
        case .object(let members): object(members)
        }
    }

    /// Members in the order of their bytes.
    package mutating func object(_ members: [String: JSONValue]) {
        let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        piece("{")
        for (number, member) in sorted.enumerated() {
            if number > 0 { piece(",") }
            string(member.key)
            piece(":")
            value(member.value)
        }
        piece("}")
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            append(UInt8(ascii: "\\"))
            append(byte)
        case 0x08: piece("\\b")
        case 0x09: piece("\\t")
        case 0x0A: piece("\\n")
        case 0x0C: piece("\\f")
        case 0x0D: piece("\\r")
        default:
            piece("\\u00")
            append(hexDigit(byte >> 4))
            append(hexDigit(byte & 15))
        }
    }
}

/// The index of the first byte of UTF-8 that a JSON string cannot have as it is: a quote, a
/// backslash or a control character. Nil if there is none.
func firstToEscape(in utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    let bytes = UnsafeRawBufferPointer(utf8)
    var index = start
    while index + 8 <= utf8.count,
        !anyNeedsEscape(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
    {
        index += 8
    }
    while index < utf8.count {
        if needsEscape(utf8[index]) { return index }
        index += 1
    }
    return nil
}

/// Tests eight bytes at once.
private func anyNeedsEscape(_ bytes: UInt64) -> Bool {
    let each: UInt64 = 0x0101_0101_0101_0101
    let highBits = each << 7
    // Not zero just when a byte is less: the lowest one that is borrows into its high bit. Some
    // above it may be marked that are not, so which one it is has to be looked up.
    func hasByte(under limit: UInt64, in bytes: UInt64) -> Bool {
        (bytes &- each * limit) & ~bytes & highBits != 0
    }
    return hasByte(under: 0x20, in: bytes)
        || hasByte(under: 1, in: bytes ^ each * UInt64(UInt8(ascii: "\"")))
        || hasByte(under: 1, in: bytes ^ each * UInt64(UInt8(ascii: "\\")))
}

private func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
}

private func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}
