import ChangeRules
package import JSON

/// Encodes the records of an answer for a wire.
package protocol RecordEncoder: Sendable {
    /// Identifies the output format: two encoders with the same name write the same bytes.
    var name: String { get }

    /// Writes the records, separated as the wire requires, without an enclosing array.
    func write(_ records: ShownRecords, to writer: inout JSONWriter) throws(StoreError)
}

/// The records of an answer, encoded or not.
package enum AnswerRecords: Sendable {
    case shown(ShownRecords)
    /// Encoded by the encoder of the call.
    case encoded(EncodedRecords)

    package var count: Int {
        switch self {
        case .shown(let records): records.count
        case .encoded(let records): records.count
        }
    }

    /// The approximate size of the encoded records, in bytes.
    package var expectedBytes: Int {
        switch self {
        case .shown(let records): records.expectedBytes
        case .encoded(let records): records.bytes.count
        }
    }

    /// Writes the records. `encoder` must be the encoder of the call that returned them.
    package func write(
        by encoder: any RecordEncoder, to writer: inout JSONWriter
    ) throws(StoreError) {
        switch self {
        case .shown(let records): try encoder.write(records, to: &writer)
        case .encoded(let records): writer.piece(records.bytes)
        }
    }
}

/// Records in the form that an encoder wrote.
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
