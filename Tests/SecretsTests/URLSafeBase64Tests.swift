import Foundation
import Testing

@testable import Secrets

@Suite("URL-safe Base64")
struct URLSafeBase64Tests {
    /// Foundation's text, with the characters of RFC 4648, section 5, and no padding.
    private func reference(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    @Test(arguments: 0...70) func everyLengthIsEncodedAndDecoded(count: Int) {
        for shift in 0..<8 {
            let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + shift * 31) })
            #expect(data.urlSafeBase64 == reference(data))
            #expect(Data(urlSafeBase64: data.urlSafeBase64) == data)
        }
    }

    @Test func everyByteIsEncoded() {
        for byte in UInt8.min...UInt8.max {
            let data = Data([byte, ~byte, byte])
            #expect(data.urlSafeBase64 == reference(data))
        }
    }
}
