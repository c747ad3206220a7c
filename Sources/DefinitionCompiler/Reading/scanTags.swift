/// The place of a tag in the document, in byte offsets.
struct Tag {
    enum Kind { case start, end, empty }

    let kind: Kind
    private let name: ByteRange
    private let written: ByteRange
    private let last: UInt32

    init(kind: Kind, nameRange: Range<Int>, attributes: Range<Int>, end: Int) {
        self.kind = kind
        name = ByteRange(nameRange)
        written = ByteRange(attributes)
        last = UInt32(truncatingIfNeeded: end)
    }

    var nameRange: Range<Int> { name.range }
    /// The tag's range in the array of all attributes.
    var attributes: Range<Int> { written.range }
    /// The offset after the `>`.
    var end: Int { Int(last) }
}

struct WrittenAttribute {
    private let name: ByteRange
    private let value: ByteRange
    let declaresNamespace: Bool

    init(nameRange: Range<Int>, valueRange: Range<Int>, declaresNamespace: Bool) {
        name = ByteRange(nameRange)
        value = ByteRange(valueRange)
        self.declaresNamespace = declaresNamespace
    }

    var nameRange: Range<Int> { name.range }
    /// Without the quotes.
    var valueRange: Range<Int> { value.range }
}

/// The relevant part of the prolog, and all tags in document order.
struct ScannedTags {
    var tags: [Tag] = []
    /// The attributes of all tags, in document order.
    var attributes: [WrittenAttribute] = []
    /// The start of a document type declaration. The scan stops there.
    var documentType: Range<Int>?
    /// The name of the first tag with too many attributes. The scan stops there.
    var overfullTag: Range<Int>?
}

/// Finds the tags of a document in one pass.
///
/// libxml2 reports the contents of tags but not their exact places. Its events and this scan agree
/// on the sequence of tags as far as the document is well-formed, and no further places are needed.
/// Attributes are counted here because libxml2 compares each with all others of its element. The
/// scan stops at the limit on elements.
func scanTags(in text: SourceText, within limits: CompilerLimits) -> ScannedTags {
    text.bytes.withUnsafeBufferPointer { bytes in
        var scanner = TagScanner(bytes: bytes)
        var result = ScannedTags()
        // An estimate that holds for most documents; unused capacity costs nothing.
        result.tags.reserveCapacity(bytes.count / 32)
        result.attributes.reserveCapacity(bytes.count / 32)
        let mostTags = 2 * limits.maxElements
        while result.tags.count <= mostTags, scanner.skip(past: "<") {
            if scanner.skip("!--") {
                _ = scanner.skip(past: "-->")
            } else if scanner.skip("![CDATA[") {
                _ = scanner.skip(past: "]]>")
            } else if scanner.skip("?") {
                _ = scanner.skip(past: "?>")
            } else if scanner.skip("!DOCTYPE") {
                result.documentType = scanner.documentType()
                break
            } else {
                let tag = scanner.tag(
                    maxAttributes: limits.maxAttributes, attributes: &result.attributes)
                if tag.attributes.count > limits.maxAttributes {
                    result.overfullTag = tag.nameRange
                    break
                }
                result.tags.append(tag)
            }
        }
        return result
    }
}

/// The first byte at or after an offset that is not in white space, a comment or a processing
/// instruction.
func startOfText(at offset: Int, in text: SourceText) -> Int {
    text.bytes.withUnsafeBufferPointer { bytes in
        var scanner = TagScanner(bytes: bytes, offset: offset)
        while true {
            scanner.skipBlanks()
            if scanner.skip("<!--") {
                _ = scanner.skip(past: "-->")
            } else if scanner.skip("<?") {
                _ = scanner.skip(past: "?>")
            } else {
                return scanner.offset
            }
        }
    }
}

private struct TagScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    var offset = 0

    /// Starts after the `<` and stops after the `>`, or at the end of the text.
    mutating func tag(maxAttributes: Int, attributes: inout [WrittenAttribute]) -> Tag {
        let isEnd = skip("/")
        let nameRange = name()
        let first = attributes.count
        skipBlanks()
        while let byte = current, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/"),
            attributes.count - first <= maxAttributes
        {
            let before = offset
            attributes.append(attribute())
            skipBlanks()
            if offset == before { break }
        }
        let isEmpty = skip("/")
        _ = skip(">")
        return Tag(
            kind: isEnd ? .end : isEmpty ? .empty : .start, nameRange: nameRange,
            attributes: first..<attributes.count, end: offset)
    }

    private mutating func attribute() -> WrittenAttribute {
        let nameRange = name()
        skipBlanks()
        _ = skip("=")
        skipBlanks()
        let valueRange = value()
        let name = bytes[nameRange]
        let declaresNamespace =
            name.starts(with: "xmlns".utf8) && (name.count == 5 || name.dropFirst(5).first == colon)
        return WrittenAttribute(
            nameRange: nameRange, valueRange: valueRange, declaresNamespace: declaresNamespace)
    }

    private mutating func value() -> Range<Int> {
        guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return offset..<offset
        }
        offset += 1
        let start = offset
        while let byte = current, byte != quote { offset += 1 }
        let end = offset
        if current != nil { offset += 1 }
        return start..<end
    }

    private mutating func name() -> Range<Int> {
        let start = offset
        while let byte = current, !endsName(byte) { offset += 1 }
        return start..<offset
    }

    /// Starts after the `<!DOCTYPE`.
    func documentType() -> Range<Int> {
        let end = bytes[offset...].firstIndex { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: ">") }
        return offset - 9..<(end ?? bytes.count)
    }

    private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func skipBlanks() {
        while let byte = current, isBlank(byte) { offset += 1 }
    }

    /// Skips the word if it is next, and returns whether it was.
    mutating func skip(_ word: StaticString) -> Bool {
        let end = offset + word.utf8CodeUnitCount
        guard end <= bytes.count else { return false }
        for index in 0..<word.utf8CodeUnitCount
        where bytes[offset + index] != word.utf8Start[index] {
            return false
        }
        offset = end
        return true
    }

    /// Skips to the end of the next occurrence of the word, or to the end of the text.
    mutating func skip(past word: StaticString) -> Bool {
        let first = word.utf8Start[0]
        while offset < bytes.count {
            if bytes[offset] == first, skip(word) { return true }
            offset += 1
        }
        return false
    }
}

private let colon = UInt8(ascii: ":")

private func endsName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "/"), UInt8(ascii: "<"),
        UInt8(ascii: "\""), UInt8(ascii: "'"):
        true
    case _: isBlank(byte)
    }
}
