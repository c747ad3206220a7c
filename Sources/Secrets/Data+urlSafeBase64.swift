import Foundation

extension Data {
    /// Without padding, and safe in URLs and headers.
    var urlSafeBase64: String {
        base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Nil for anything but the one text that these bytes have.
    init?(urlSafeBase64 text: String) {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let plain = text.replacing("-", with: "+").replacing("_", with: "/") + padding
        guard let data = Data(base64Encoded: plain), data.urlSafeBase64 == text else { return nil }
        self = data
    }
}
