import DefinitionModel
import Foundation
import JSON

/// The version of a row as clients see it: the revision of the record in eight bytes, in Base64.
struct RowVersion: Hashable, Sendable {
    private static let textBytes = 12

    let revision: Int64

    init(_ revision: Int64) { self.revision = revision }

    /// Nil for a text that is no version of this server.
    init?(_ text: String) {
        guard let bytes = Data(base64Encoded: text), bytes.count == 8 else { return nil }
        revision = bytes.reduce(0) { $0 << 8 | Int64($1) }
        // The last digit has more bits than the revision.
        guard self.text.hasSameBytes(as: text) else { return nil }
    }

    var text: String {
        String(unsafeUninitializedCapacity: Self.textBytes) { bytes in
            write(to: bytes)
            return Self.textBytes
        }
    }

    /// Writes the version as a JSON string. Each row of an answer has one.
    func write(to writer: inout JSONWriter) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.textBytes + 2) { bytes in
            bytes[0] = UInt8(ascii: "\"")
            write(to: UnsafeMutableBufferPointer(rebasing: bytes[1...]))
            bytes[Self.textBytes + 1] = UInt8(ascii: "\"")
            writer.piece(UnsafeBufferPointer(bytes))
        }
    }

    /// Ten digits of six bits, one of the last four bits, and the padding.
    private func write(to bytes: UnsafeMutableBufferPointer<UInt8>) {
        let bits = UInt64(bitPattern: revision)
        for place in 0..<10 { bytes[place] = base64Digit(bits >> (58 - 6 * UInt64(place))) }
        bytes[10] = base64Digit(bits << 2)
        bytes[11] = UInt8(ascii: "=")
    }

    /// With the quotes of the header `ETag`. It is never weak: clients copy it into their rows.
    var tag: String { "\"\(text)\"" }
}

/// The version that a client has seen, as its request says.
enum RowCondition: Hashable, Sendable {
    /// Nothing, or `*`.
    case none
    /// Nil for a version that no row has ever had.
    case version(RowVersion?)

    /// The condition of a header `If-Match`. The first generation refuses weak and several tags.
    /// Later clients whose row has a weak tag for its version, from a proxy that compressed the
    /// answer, send that in quotes.
    init(ifMatch header: String?, _ dialect: ClientGeneration) throws(QuestionFault) {
        guard let header else {
            self = .none
            return
        }
        let trimmed = header.filter { $0 != " " }
        guard trimmed != "*" else {
            self = .none
            return
        }
        let isNested = trimmed.hasPrefix("\"W/\"") && trimmed.hasSuffix("\"\"")
        let outer = isNested ? String(trimmed.dropFirst().dropLast()) : trimmed
        let isWeak = outer.hasPrefix("W/")
        let tag = isWeak ? outer.dropFirst(2) : Substring(outer)
        guard tag.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\""),
            !tag.dropFirst().dropLast().contains("\""), !(isWeak && dialect == .services)
        else { throw QuestionFault("If-Match takes one version in double quotes") }
        self = .version(RowVersion(String(tag.dropFirst().dropLast())))
    }

    /// The version in quotes, for the identity of a change.
    var text: String {
        switch self {
        case .none: ""
        case .version(let version): version?.text ?? "?"
        }
    }
}

/// The digit of the last six bits.
private func base64Digit(_ bits: UInt64) -> UInt8 {
    let value = UInt8(bits & 63)
    return switch value {
    case 0..<26: UInt8(ascii: "A") + value
    case 26..<52: UInt8(ascii: "a") + value - 26
    case 52..<62: UInt8(ascii: "0") + value - 52
    case 62: UInt8(ascii: "+")
    case _: UInt8(ascii: "/")
    }
}
