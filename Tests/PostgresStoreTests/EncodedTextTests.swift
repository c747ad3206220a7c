import Testing

@testable import PostgresStore

@Suite("Encoded texts")
struct EncodedTextTests {
    private static let bytes: [UInt8] = [0, 1, 2, 0x61]
    /// All of up to four bytes.
    private static let texts = (0...4).reduce(into: [[[UInt8]]]()) { all, length in
        all.append(
            length == 0 ? [[]] : all[length - 1].flatMap { text in bytes.map { text + [$0] } })
    }.joined()

    @Test func everyTextComesBack() {
        for text in Self.texts.map({ String(decoding: $0, as: UTF8.self) }) {
            let encoded = encodedText(text)
            #expect(!encoded.contains(0))
            #expect(encoded.withUnsafeBufferPointer { decodedText($0) } == text)
        }
    }

    @Test func onlyEncodedBytesAreDecoded() {
        let encoded = Set(Self.texts.map { encodedText(String(decoding: $0, as: UTF8.self)) })
        for bytes in Self.texts where !bytes.contains(0) {
            let isDecoded = bytes.withUnsafeBufferPointer { decodedText($0) } != nil
            #expect(isDecoded == encoded.contains(bytes), "\(bytes)")
        }
    }
}

private func encodedText(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendEncoded(text)
    return bytes
}
