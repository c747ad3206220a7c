import JSON
package import SyncEngine
package import SyncProtocol

extension SyncAnswer {
    package func message() throws(SyncError) -> SyncResponse {
        SyncResponse(
            outcomes: outcomes.map(OutcomeMessage.init), records: try recordMessages(),
            dropped: dropped.map(DroppedMessage.init), cursor: cursor, more: hasMore,
            resync: isResync)
    }

    private func recordMessages() throws(SyncError) -> [RecordMessage] {
        do {
            switch records {
            case .shown(let records): return try records.views().map(RecordMessage.init)
            case .encoded(let records): return try decoded(records)
            }
        } catch {
            throw .store(error)
        }
    }

    private func decoded(_ records: EncodedRecords) throws(StoreError) -> [RecordMessage] {
        do {
            let list = Array("[".utf8) + records.bytes + Array("]".utf8)
            return try decodeMessage([RecordMessage].self, from: list)
        } catch {
            throw .unreadable("encoded records cannot be read: \(error)")
        }
    }

    /// The message as JSON.
    package func json() throws(SyncError) -> [UInt8] { try withJSON { Array($0) } }

    /// Avoids a copy of a possibly long response. The bytes are valid until `use` returns.
    package func withJSON<Result>(
        _ use: (UnsafeBufferPointer<UInt8>) -> Result
    ) throws(SyncError) -> Result {
        var writer = JSONWriter(expecting: 500 + records.expectedBytes)
        writer.piece(#"{"cursor":"#)
        writer.string(cursor)
        writer.piece(#","dropped":"#)
        writer.list(dropped) { DroppedMessage($1).write(to: &$0) }
        writer.piece(#","more":"#)
        writer.flag(hasMore)
        writer.piece(#","outcomes":"#)
        writer.list(outcomes) { OutcomeMessage($1).write(to: &$0) }
        writer.piece(#","records":["#)
        do {
            try records.write(by: NativeRecordEncoder(), to: &writer)
        } catch {
            throw .store(error)
        }
        writer.piece(#"],"resync":"#)
        writer.flag(isResync)
        writer.piece("}")
        return writer.withBytes(use)
    }
}
