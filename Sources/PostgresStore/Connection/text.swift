import Foundation

/// PostgreSQL's texts cannot contain U+0000. U+0000 and U+0001 are stored as U+0001 and a digit,
/// which preserves the order of texts by bytes.
private let escape: UInt8 = 1
private let escaped: [UInt8] = [1, 2]

extension [UInt8] {
    mutating func appendEncoded(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            guard place(of: 0, in: bytes, from: 0) == nil,
                place(of: escape, in: bytes, from: 0) == nil
            else {
                for byte in bytes {
                    if byte <= escape { append(escape) }
                    append(byte <= escape ? escaped[Int(byte)] : byte)
                }
                return
            }
            self += bytes
        }
    }
}

/// Returns nil for bytes that `appendEncoded` cannot produce.
func decodedText(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard var next = place(of: escape, in: bytes, from: 0) else {
        return String(decoding: bytes, as: UTF8.self)
    }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var start = 0
    while next < bytes.count {
        guard next + 1 < bytes.count, let value = escaped.firstIndex(of: bytes[next + 1]) else {
            return nil
        }
        decoded += bytes[start..<next]
        decoded.append(UInt8(value))
        start = next + 2
        next = place(of: escape, in: bytes, from: start) ?? bytes.count
    }
    decoded += bytes[start...]
    return String(decoding: decoded, as: UTF8.self)
}

/// The index of the first such byte from `start` on; nil if there is none.
private func place(of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let base = bytes.baseAddress, start < bytes.count else { return nil }
    guard let found = memchr(base + start, Int32(byte), bytes.count - start) else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
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
