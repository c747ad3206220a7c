import SyncProtocol

/// The records of an answer.
enum AnswerRecords: Sendable {
    case shown(ShownRecords)
    case written(WrittenRecords)

    var count: Int {
        switch self {
        case .shown(let records): records.count
        case .written(let records): records.count
        }
    }

    func messages() throws(StoreError) -> [RecordMessage] {
        switch self {
        case .shown(let records): try records.messages()
        case .written(let records): try records.messages()
        }
    }

    /// About how many they come to.
    var expectedBytes: Int {
        switch self {
        case .shown(let records): records.expectedBytes
        case .written(let records): records.json.count
        }
    }

    /// The messages, with commas between them.
    func write(to writer: inout JSONWriter) throws(StoreError) {
        switch self {
        case .shown(let records): try records.write(to: &writer)
        case .written(let records): writer.piece(records.json)
        }
    }
}

/// Records that were put into words.
struct WrittenRecords: Sendable {
    let count: Int
    /// The messages, with commas between them.
    let json: [UInt8]

    init(_ records: ShownRecords) throws(StoreError) {
        count = records.count
        var writer = JSONWriter(expecting: records.expectedBytes)
        try records.write(to: &writer)
        json = writer.bytes
    }

    func messages() throws(StoreError) -> [RecordMessage] {
        try JSONText.decode("[\(String(decoding: json, as: UTF8.self))]", as: [RecordMessage].self)
    }
}
