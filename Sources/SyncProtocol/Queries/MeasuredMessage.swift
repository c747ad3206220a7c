import JSON

/// A message with values of records, which may be so large that it takes long to encode.
package protocol MeasuredMessage: Encodable, Sendable {
    /// About the size of the message as JSON, in bytes; see `JSONValue.approximateBytes`.
    var approximateBytes: Int { get }
}

extension SyncResponse: MeasuredMessage {
    package var approximateBytes: Int { bytes(of: records) + 100 * outcomes.count }
}

extension FindResponse: MeasuredMessage {
    package var approximateBytes: Int { bytes(of: records) }
}

extension ConflictsResponse: MeasuredMessage {
    package var approximateBytes: Int { bytes(of: records) }
}

extension HistoryResponse: MeasuredMessage {
    package var approximateBytes: Int {
        entries.reduce(0) { $0 + bytes(of: $1.before) + bytes(of: $1.wanted) + 100 }
    }
}

extension RecordMessage: MeasuredMessage {
    package var approximateBytes: Int {
        (conflicts ?? []).reduce(bytes(of: fields) + 100) { sum, conflict in
            [conflict.base, conflict.mine, conflict.theirs].reduce(sum) {
                $0 + bytes(of: $1.fields)
            }
        }
    }
}

private func bytes(of records: [RecordMessage]) -> Int {
    records.reduce(0) { $0 + $1.approximateBytes }
}

private func bytes(of fields: [String: JSONValue]?) -> Int {
    (fields ?? [:]).values.reduce(0) { $0 + $1.approximateBytes }
}
