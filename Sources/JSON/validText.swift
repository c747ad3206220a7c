/// The text that the bytes are in UTF-8; nil if they are not UTF-8. Nothing is repaired.
package func validText(_ bytes: [UInt8]) -> String? { utf8Text(bytes) }

/// The same for bytes in memory that is not the callee's.
func validText(_ bytes: UnsafeBufferPointer<UInt8>) -> String? { utf8Text(bytes) }

private func utf8Text(_ bytes: some Collection<UInt8>) -> String? {
    guard #available(iOS 18, macOS 15, tvOS 18, visionOS 2, watchOS 11, *) else {
        // Where a repair replaces a byte, the text has other bytes.
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? text : nil
    }
    return String(validating: bytes, as: UTF8.self)
}
