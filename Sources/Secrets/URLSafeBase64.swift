import Foundation

/// Bytes as text without padding that is safe in URLs and headers (RFC 4648, section 5).
package enum URLSafeBase64 {
    package static func text(of bytes: [UInt8]) -> String { Data(bytes).urlSafeBase64 }

    /// Nil unless the text is the canonical encoding of some bytes.
    package static func bytes(of text: String) -> [UInt8]? {
        Data(urlSafeBase64: text).map { [UInt8]($0) }
    }
}
