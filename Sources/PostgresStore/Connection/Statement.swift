/// A statement with its parameters.
struct Statement: Sendable {
    let text: String
    let parameters: [Parameter]

    init(_ text: String, _ parameters: [Parameter] = []) {
        self.text = text
        self.parameters = parameters
    }
}

/// A parameter in PostgreSQL's binary format; nothing is ever quoted into the text.
enum Parameter: Hashable, Sendable {
    case integer(Int64?)
    case flag(Bool)
    case text(String?)
    case bytes([UInt8]?)
    case integers([Int64])
    case flags([Bool])
    case texts([String?])
    /// NULL, as an array of texts.
    case noTexts
    case byteStrings([[UInt8]])
}

extension Parameter {
    /// The type's object id in PostgreSQL's catalogue. The ids of built-in types are constant.
    var type: UInt32 {
        switch self {
        case .integer: 20
        case .flag: 16
        case .text: 25
        case .bytes: 17
        case .integers: 1016
        case .flags: 1000
        case .texts, .noTexts: 1009
        case .byteStrings: 1001
        }
    }

    /// Nil for NULL.
    var encoded: [UInt8]? {
        switch self {
        case .integer(let value): value.map(bigEndian)
        case .flag(let value): [value ? 1 : 0]
        case .text(let text): text.map(encodedText)
        case .bytes(let bytes): bytes
        case .integers(let values): array(ofType: 20, values.map(bigEndian))
        case .flags(let values): array(ofType: 16, values.map { [$0 ? 1 : 0] })
        case .texts(let texts): array(ofType: 25, texts.map { $0.map(encodedText) })
        case .byteStrings(let strings): array(ofType: 17, strings)
        case .noTexts: nil
        }
    }
}

/// Encodes a one-dimensional array with the lower bound 1.
private func array(ofType type: UInt32, _ elements: [[UInt8]?]) -> [UInt8] {
    let dimensions: Int32 = elements.isEmpty ? 0 : 1
    let hasNull: Int32 = elements.contains { $0 == nil } ? 1 : 0
    var bytes: [UInt8] = []
    bytes.reserveCapacity(elements.reduce(20) { $0 + 4 + ($1?.count ?? 0) })
    bytes += bigEndian(dimensions) + bigEndian(hasNull) + bigEndian(type)
    guard !elements.isEmpty else { return bytes }
    bytes += bigEndian(Int32(elements.count)) + bigEndian(Int32(1))
    for element in elements {
        bytes += bigEndian(element.map { Int32($0.count) } ?? -1)
        bytes += element ?? []
    }
    return bytes
}

private func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
}
