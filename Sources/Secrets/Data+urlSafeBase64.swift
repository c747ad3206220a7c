import Foundation

private let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

// Every request encodes such a text. Foundation's encoder takes four times as long with the steps
// that make its result safe, and a closure for each byte of `Data` took a third of an empty pull.
extension Data {
    /// Without padding, safe in URLs and headers.
    var urlSafeBase64: String {
        String(unsafeUninitializedCapacity: (count * 4 + 2) / 3) { text in
            var (bits, bitCount, written) = (UInt32(0), UInt32(0), 0)
            func write(_ digit: UInt32) {
                text[written] = digits[Int(digit & 63)]
                written += 1
            }
            withUnsafeBytes { bytes in
                for byte in bytes {
                    bits = bits << 8 | UInt32(byte)
                    bitCount += 8
                    while bitCount >= 6 {
                        bitCount -= 6
                        write(bits >> bitCount)
                    }
                }
            }
            if bitCount > 0 { write(bits << (6 - bitCount)) }
            return written
        }
    }

    /// Nil unless the text is the canonical encoding of some bytes.
    init?(urlSafeBase64 text: String) {
        var bytes = [UInt8](text.utf8)
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "-"): bytes[index] = UInt8(ascii: "+")
            case UInt8(ascii: "_"): bytes[index] = UInt8(ascii: "/")
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: break
            }
        }
        bytes += repeatElement(UInt8(ascii: "="), count: (4 - bytes.count % 4) % 4)
        guard let data = Data(base64Encoded: Data(bytes)) else { return nil }
        // The unused bits of the last character must be zero.
        let end = data.suffix(data.count % 3).base64EncodedData()
        guard bytes.suffix(end.count).elementsEqual(end) else { return nil }
        self = data
    }
}
