import ChangeRules
package import JSON

/// Encodes the records of an answer as a wire writes them.
package protocol RecordEncoder: Sendable {
    /// Two encoders with one name write the same bytes.
    var name: String { get }

    /// Writes the records with the wire's separator between them, and nothing around them.
    func write(_ records: ShownRecords, to writer: inout JSONWriter) throws(StoreError)
}

/// The records of an answer.
package enum AnswerRecords: Sendable {
    case shown(ShownRecords)
    /// By the encoder of the call.
    case encoded(EncodedRecords)

    package var count: Int {
        switch self {
        case .shown(let records): records.count
        case .encoded(let records): records.count
        }
    }

    /// About how many they come to.
    package var expectedBytes: Int {
        switch self {
        case .shown(let records): records.expectedBytes
        case .encoded(let records): records.bytes.count
        }
    }

    /// By the encoder of the call.
    package func write(
        by encoder: any RecordEncoder, to writer: inout JSONWriter
    ) throws(StoreError) {
        switch self {
        case .shown(let records): try encoder.write(records, to: &writer)
        case .encoded(let records): writer.piece(records.bytes)
        }
    }
}

/// Records as an encoder wrote them.
package struct EncodedRecords: Sendable {
    package let count: Int
    package let bytes: [UInt8]

    init(_ records: ShownRecords, by encoder: any RecordEncoder) throws(StoreError) {
        count = records.count
        var writer = JSONWriter(expecting: records.expectedBytes)
        try encoder.write(records, to: &writer)
        bytes = writer.bytes
    }
}
