/// The parameters of a statement in PostgreSQL's binary format, in one buffer, so that a large text
/// is copied once.
struct EncodedParameters {
    private var bytes: [UInt8] = []
    /// The length of each parameter. Nil for NULL.
    private var lengths: [Int?] = []

    init(_ parameters: [Parameter]) {
        bytes.reserveCapacity(parameters.reduce(0) { $0 + $1.usualLength })
        lengths.reserveCapacity(parameters.count)
        for parameter in parameters {
            let start = bytes.count
            lengths.append(bytes.append(parameter) ? bytes.count - start : nil)
        }
    }

    /// Calls `body` with the addresses and the lengths of the values. They are valid until it
    /// returns.
    func withValues<Result>(_ body: ([UnsafePointer<CChar>?], [Int32]) -> Result) -> Result {
        bytes.withUnsafeBytes { buffer in
            // An empty array has no address, and libpq sends a null address as NULL.
            var empty: CChar = 0
            return withUnsafePointer(to: &empty) { empty in
                let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) ?? empty
                var offset = 0
                let values = lengths.map { length -> UnsafePointer<CChar>? in
                    guard let length else { return nil }
                    defer { offset += length }
                    return start + offset
                }
                return body(values, lengths.map { Int32($0 ?? 0) })
            }
        }
    }
}

extension Parameter {
    /// Its number of bytes, unless a text has characters that are stored as two.
    fileprivate var usualLength: Int {
        switch self {
        case .integer, .flag: 8
        case .text(let text): text?.utf8.count ?? 0
        case .bytes(let bytes): bytes?.count ?? 0
        case .integers(let values): 20 + 12 * values.count
        case .flags(let values): 20 + 5 * values.count
        case .texts(let texts): texts.reduce(20) { $0 + 4 + $1.utf8.count }
        case .byteStrings(let strings): strings.reduce(20) { $0 + 4 + $1.count }
        case .noTexts: 0
        }
    }
}

extension [UInt8] {
    /// Returns false for NULL, which has no bytes.
    fileprivate mutating func append(_ parameter: Parameter) -> Bool {
        switch parameter {
        case .integer(let value):
            guard let value else { return false }
            appendBigEndian(value)
        case .flag(let value): append(value ? 1 : 0)
        case .text(let text):
            guard let text else { return false }
            appendEncoded(text)
        case .bytes(let bytes):
            guard let bytes else { return false }
            self += bytes
        case .integers(let values):
            appendArray(ofType: 20, values) { $0.appendBigEndian($1) }
        case .flags(let values):
            appendArray(ofType: 16, values) { $0.append($1 ? 1 : 0) }
        case .texts(let texts):
            appendArray(ofType: 25, texts) { $0.appendEncoded($1) }
        case .byteStrings(let strings):
            appendArray(ofType: 17, strings) { $0 += $1 }
        case .noTexts: return false
        }
        return true
    }

    /// A one-dimensional array with the lower bound 1, without NULL.
    private mutating func appendArray<Value>(
        ofType type: UInt32, _ elements: [Value], _ add: (inout [UInt8], Value) -> Void
    ) {
        let dimensions: Int32 = elements.isEmpty ? 0 : 1
        let hasNull: Int32 = 0
        appendBigEndian(dimensions)
        appendBigEndian(hasNull)
        appendBigEndian(type)
        guard !elements.isEmpty else { return }
        appendBigEndian(Int32(elements.count))
        appendBigEndian(Int32(1))
        for element in elements {
            let start = count
            appendBigEndian(Int32(-1))
            add(&self, element)
            set(Int32(count - start - 4), at: start)
        }
    }

    private mutating func appendBigEndian(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { self += $0 }
    }

    private mutating func set(_ number: Int32, at place: Int) {
        withUnsafeMutableBytes {
            $0.storeBytes(of: number.bigEndian, toByteOffset: place, as: Int32.self)
        }
    }
}
