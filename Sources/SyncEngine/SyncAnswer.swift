package import SyncProtocol

/// What a sync is answered with, before it is put into words.
package struct SyncAnswer: Sendable {
    let outcomes: [OutcomeMessage]
    let records: AnswerRecords
    let dropped: [DroppedMessage]
    let cursor: String
    let more: Bool
    let resync: Bool

    package func message() throws(SyncError) -> SyncResponse {
        let messages: [RecordMessage]
        do {
            messages = try records.messages()
        } catch {
            throw .store(error)
        }
        return SyncResponse(
            outcomes: outcomes, records: messages, dropped: dropped, cursor: cursor, more: more,
            resync: resync)
    }

    /// The message as JSON, with what is stored in it as it is.
    package func json() throws(SyncError) -> [UInt8] { try withJSON { Array($0) } }

    /// The same without a copy of it, since it can be long. It is there until `use` returns.
    package func withJSON<Result>(
        _ use: (UnsafeBufferPointer<UInt8>) -> Result
    ) throws(SyncError) -> Result {
        var writer = JSONWriter(expecting: 500 + records.expectedBytes)
        writer.piece(#"{"cursor":"#)
        writer.string(cursor)
        writer.piece(#","dropped":"#)
        writer.list(dropped) { $1.write(to: &$0) }
        writer.piece(#","more":"#)
        writer.flag(more)
        writer.piece(#","outcomes":"#)
        writer.list(outcomes) { $1.write(to: &$0) }
        writer.piece(#","records":["#)
        do {
            try records.write(to: &writer)
        } catch {
            throw .store(error)
        }
        writer.piece(#"],"resync":"#)
        writer.flag(resync)
        writer.piece("}")
        return writer.withBytes(use)
    }
}
