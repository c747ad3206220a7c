import Foundation

extension Data {
    /// Without padding, and safe in URLs and headers.
    var urlSafeBase64: String {
        var bytes = base64EncodedData()
        while bytes.last == UInt8(ascii: "=") { bytes.removeLast() }
        return String(
            decoding: bytes.map { Self.exchanged($0, Self.plain, Self.safe) }, as: UTF8.self)
    }

    /// Nil for anything but the one text that these bytes have.
    init?(urlSafeBase64 text: String) {
        let bytes = text.utf8.map { Self.exchanged($0, Self.safe, Self.plain) }
        let padding = repeatElement(UInt8(ascii: "="), count: (4 - bytes.count % 4) % 4)
        guard let data = Data(base64Encoded: Data(bytes + padding)),
            data.urlSafeBase64.utf8.elementsEqual(text.utf8)
        else { return nil }
        self = data
    }

    private static let plain = (UInt8(ascii: "+"), UInt8(ascii: "/"))
    private static let safe = (UInt8(ascii: "-"), UInt8(ascii: "_"))

    /// With the two characters of one alphabet that the other has in their places.
    private static func exchanged(
        _ byte: UInt8, _ old: (UInt8, UInt8), _ new: (UInt8, UInt8)
    ) -> UInt8 {
        switch byte {
        case old.0: new.0
        case old.1: new.1
        default: byte
        }
    }
}
