import DefinitionModel
import JSON
import SyncEngine

/// A column whose values are copied from the stored fields, as far as clients know them in the same
/// form.
struct StoredColumn: Sendable {
    /// The bytes before the value in a row: `,"complete":`.
    private let start: [UInt8]
    private let type: FieldTypeName
    /// Whether rows have the member as it is stored, unless the ids of related rows differ.
    let isCopied: Bool

    init(_ field: Field) {
        var writer = JSONWriter()
        writer.piece(",")
        writer.string(field.foreignName)
        writer.piece(":")
        start = writer.bytes
        type = field.type.name
        isCopied = field.foreignName.hasSameBytes(as: field.name) && type.isCopied
    }

    var isRelation: Bool { type == .belongsTo }

    /// Writes the column with its stored value, which is nil if the record has none. `ids` are the
    /// ids of related rows that are not their guids, by guid.
    func write(
        _ value: UnsafeBufferPointer<UInt8>?, naming ids: [String: String], omittingNull: Bool,
        to writer: inout JSONWriter
    ) {
        // No other value begins so.
        if omittingNull, value?.first ?? UInt8(ascii: "n") == UInt8(ascii: "n") { return }
        writer.piece(start)
        guard let value else { return writer.piece("null") }
        switch type {
        case .decimal where value.first == UInt8(ascii: "\""):
            writer.piece(UnsafeBufferPointer(rebasing: value.dropFirst().dropLast()))
        case .date:
            let time =
                value.count < 19 ? number(value) : Int64(String(decoding: value, as: UTF8.self))
            if let time { writer.instant(time) } else { writer.piece("null") }
        case .belongsTo where !ids.isEmpty:
            if let id = derivedGuid(value).flatMap({ ids[$0] }) {
                writer.string(id)
            } else {
                writer.piece(value)
            }
        case .file: writer.value(fileName(value))
        case .text, .integer, .decimal, .boolean, .belongsTo: writer.piece(value)
        }
    }

    private func fileName(_ value: UnsafeBufferPointer<UInt8>) -> JSONValue {
        guard let json = try? parseJSON(Array(value)), case .object(let file) = json else {
            return .null
        }
        return file["filename"] ?? .null
    }
}

extension FieldTypeName {
    fileprivate var isCopied: Bool {
        switch self {
        case .text, .integer, .boolean, .belongsTo: true
        case .decimal, .date, .file: false
        }
    }
}

/// Nil for null, and for anything else that is no whole number of 18 digits.
private func number(_ digits: UnsafeBufferPointer<UInt8>) -> Int64? {
    let isNegative = digits.first == UInt8(ascii: "-")
    guard (1...18).contains(digits.count - (isNegative ? 1 : 0)) else { return nil }
    var number: Int64 = 0
    for digit in digits[(isNegative ? 1 : 0)...] {
        guard (0x30...0x39).contains(digit) else { return nil }
        number = 10 * number + Int64(digit - 0x30)
    }
    return isNegative ? -number : number
}

/// The guid that a stored relation has, if it may stand for another id.
func derivedGuid(_ value: UnsafeBufferPointer<UInt8>) -> String? {
    guard value.count == 38 else { return nil }
    let guid = UnsafeBufferPointer(rebasing: value[1..<37])
    return RecordNaming.mayStandForName(guid) ? String(decoding: guid, as: UTF8.self) : nil
}

extension JSONWriter {
    /// A time as text.
    mutating func instant(_ milliseconds: Int64) {
        withQuotedInstant(milliseconds: milliseconds) { piece($0) }
    }
}
