/// Transcodes the document to UTF-8, so that all later offsets refer to the same bytes.
///
/// If this fails, the result is the text before the invalid bytes.
func decode(
    _ source: SourceFile, within limits: CompilerLimits,
    reportingTo collector: inout DiagnosticCollector
) -> SourceText {
    guard source.bytes.count <= limits.maxBytes else {
        collector.report(.documentTooLarge(limit: limits.maxBytes))
        return SourceText(bytes: [])
    }
    guard let encoding = encoding(of: source.bytes, reportingTo: &collector) else {
        return SourceText(bytes: [])
    }
    let (bytes, isWhole) = transcode(source.bytes, from: encoding)
    let text = SourceText(bytes: bytes)
    let end = bytes.count..<bytes.count
    if !isWhole {
        collector.report(.invalidBytes(of: encoding.name, at: end))
    } else if let nul = bytes.firstIndex(of: 0) {
        collector.report(.nulCharacter(at: nul..<nul + 1))
    } else if bytes.allSatisfy(isBlank) {
        collector.report(.emptyDocument(at: end))
    } else if let declared = declaredEncoding(in: bytes), !encoding.agrees(with: declared.name) {
        collector.report(
            .encodingMismatch(
                declared: declared.name, actual: encoding.name, at: declared.range))
    }
    return text
}

private enum Encoding {
    case utf8, utf16LittleEndian, utf16BigEndian, latin1

    var name: String {
        switch self {
        case .utf8: "UTF-8"
        case .utf16LittleEndian, .utf16BigEndian: "UTF-16"
        case .latin1: "ISO-8859-1"
        }
    }

    /// Whether the document may declare this encoding. Encoding names are case-insensitive in XML.
    func agrees(with declared: String) -> Bool {
        switch self {
        case .utf8: ["UTF-8", "UTF8", "US-ASCII", "ASCII"].contains(declared.uppercased())
        case .utf16LittleEndian: ["UTF-16", "UTF-16LE"].contains(declared.uppercased())
        case .utf16BigEndian: ["UTF-16", "UTF-16BE"].contains(declared.uppercased())
        case .latin1: ["ISO-8859-1", "LATIN1"].contains(declared.uppercased())
        }
    }
}

/// Detected by the byte-order mark, by the zero byte beside the first `<`, or from the declaration.
private func encoding(
    of bytes: [UInt8], reportingTo collector: inout DiagnosticCollector
) -> Encoding? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8 }
    if bytes.starts(with: [0, 0, 0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE, 0, 0]) {
        collector.report(.unsupportedEncoding("UTF-32", at: 0..<0))
        return nil
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0x3C, 0]) {
        return .utf16LittleEndian
    }
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0, 0x3C]) {
        return .utf16BigEndian
    }
    guard let declared = declaredEncoding(in: bytes) else { return .utf8 }
    if Encoding.latin1.agrees(with: declared.name) { return .latin1 }
    let isKnown = [Encoding.utf8, .utf16LittleEndian, .utf16BigEndian].contains {
        $0.agrees(with: declared.name)
    }
    if isKnown { return .utf8 }
    collector.report(.unsupportedEncoding(declared.name, at: 0..<0))
    return nil
}

/// The encoding in the XML declaration.
private func declaredEncoding(in bytes: [UInt8]) -> (name: String, range: Range<Int>)? {
    guard bytes.starts(with: "<?xml".utf8) else { return nil }
    let line = String(decoding: bytes.prefix(512).prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
    guard let match = line.firstMatch(of: /encoding\s*=\s*["']([^"']*)["']/) else { return nil }
    let start = line.utf8.distance(from: line.startIndex, to: match.output.1.startIndex)
    return (String(match.output.1), start..<start + match.output.1.utf8.count)
}

/// `isWhole` is false if the bytes are invalid in the encoding; the result then ends before them.
private func transcode(
    _ bytes: [UInt8], from encoding: Encoding
) -> (bytes: [UInt8], isWhole: Bool) {
    switch encoding {
    case .utf8:
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        if isASCII(content) { return (content, true) }
        guard String(validating: content, as: UTF8.self) == nil else { return (content, true) }
        return transcode(content, from: UTF8.self)
    case .latin1: return (utf8(ofLatin1: bytes), true)
    case .utf16LittleEndian:
        let result = transcode(codeUnits(of: bytes, low: 0, high: 1), from: UTF16.self)
        return (result.bytes, result.isWhole && bytes.count.isMultiple(of: 2))
    case .utf16BigEndian:
        let result = transcode(codeUnits(of: bytes, low: 1, high: 0), from: UTF16.self)
        return (result.bytes, result.isWhole && bytes.count.isMultiple(of: 2))
    }
}

/// ISO-8859-1 is the first 256 scalars of Unicode; half of them take two bytes in UTF-8.
private func utf8(ofLatin1 bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
        if byte < 0x80 {
            result.append(byte)
        } else {
            result.append(0xC0 | byte >> 6)
            result.append(0x80 | byte & 0x3F)
        }
    }
    return result
}

private func transcode<Codec: UnicodeCodec>(
    _ units: [Codec.CodeUnit], from codec: Codec.Type
) -> (bytes: [UInt8], isWhole: Bool) {
    var result: [UInt8] = []
    let isBroken = Swift.transcode(
        units.makeIterator(), from: codec, to: UTF8.self, stoppingOnError: true,
        into: { result.append($0) })
    return (result, !isBroken)
}

/// Byte pairs as UTF-16 code units, without the byte-order mark.
private func codeUnits(of bytes: [UInt8], low: Int, high: Int) -> [UInt16] {
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
        UInt16(bytes[index + high]) << 8 | UInt16(bytes[index + low])
    }
    return units.first == 0xFEFF ? Array(units.dropFirst()) : units
}
