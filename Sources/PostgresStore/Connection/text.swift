/// PostgreSQL's texts cannot contain U+0000. U+0000 and U+0001 are stored as U+0001 and a digit,
/// which preserves the order of texts by bytes.
private let escape: UInt8 = 1
private let escaped: [UInt8] = [1, 2]

func encodedText(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    guard bytes.contains(where: { $0 <= escape }) else { return bytes }
    return bytes.flatMap { $0 <= escape ? [escape, escaped[Int($0)]] : [$0] }
}

/// Returns nil for bytes that `encodedText` cannot produce.
func decodedText(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard bytes.contains(escape) else { return String(decoding: bytes, as: UTF8.self) }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let byte = rest.popFirst() {
        guard byte == escape else {
            decoded.append(byte)
            continue
        }
        guard let next = rest.popFirst(), let value = escaped.firstIndex(of: next) else {
            return nil
        }
        decoded.append(UInt8(value))
    }
    return String(decoding: decoded, as: UTF8.self)
}

/// Decodes an array of texts in PostgreSQL's binary format. Returns nil for any other array, or one
/// with NULL elements.
func decodedTexts(_ bytes: UnsafeBufferPointer<UInt8>) -> [String]? {
    var rest = bytes[...]
    func number() -> Int? {
        guard rest.count >= 4 else { return nil }
        defer { rest = rest.dropFirst(4) }
        return rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }
    guard let dimensions = number(), number() != nil, number() != nil else { return nil }
    guard dimensions == 1, let count = number(), number() != nil else {
        return dimensions == 0 ? [] : nil
    }
    var texts: [String] = []
    for _ in 0..<count {
        guard let length = number(), length <= rest.count else { return nil }
        guard let text = decodedText(UnsafeBufferPointer(rebasing: rest.prefix(length))) else {
            return nil
        }
        texts.append(text)
        rest = rest.dropFirst(length)
    }
    return texts
}
