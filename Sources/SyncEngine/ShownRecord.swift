package import SyncProtocol

/// A record that came through the gate: what its reader may see of it, before it is put into words.
struct ShownRecord: Sendable {
    let record: StoredRecord
    /// Nil when the record is deleted and nobody disputes it.
    let fields: FieldSelection?
    /// Of what may be seen of it; nil when the record has none.
    let conflicts: [ConflictMessage]?

    func message() throws(StoreError) -> RecordMessage {
        var values: [String: JSONValue]?
        if let fields { values = try fields.values(in: record.fieldsText) }
        return RecordMessage(
            model: record.model, guid: record.guid, revision: record.revision,
            owner: record.owner, group: record.group, deleted: record.isDeleted,
            conflicted: record.isConflicted, fields: values, conflicts: conflicts)
    }

    /// The message as JSON.
    func write(to writer: inout JSONWriter) throws(StoreError) {
        writer.piece(#"{"conflicted":"#)
        writer.flag(record.isConflicted)
        if let conflicts {
            writer.piece(#","conflicts":"#)
            writer.piece(written: try JSONText.encode(conflicts))
        }
        writer.piece(#","deleted":"#)
        writer.flag(record.isDeleted)
        if let fields {
            writer.piece(#","fields":"#)
            try fields.write(record.fieldsText, to: &writer)
        }
        writer.piece(#","group":"#)
        writer.string(record.group)
        writer.piece(#","guid":"#)
        writer.string(record.guid)
        writer.piece(#","model":"#)
        writer.string(record.model)
        writer.piece(#","owner":"#)
        writer.string(record.owner)
        writer.piece(#","revision":"#)
        writer.integer(record.revision)
        writer.piece("}")
    }
}

/// What a sync is answered with, before it is put into words.
package struct SyncAnswer: Sendable {
    let outcomes: [OutcomeMessage]
    let records: [ShownRecord]
    let dropped: [DroppedMessage]
    let cursor: String
    let more: Bool
    let resync: Bool

    package func message() throws(SyncError) -> SyncResponse {
        var messages: [RecordMessage] = []
        do {
            for record in records { messages.append(try record.message()) }
        } catch {
            throw .store(error)
        }
        return SyncResponse(
            outcomes: outcomes, records: messages, dropped: dropped, cursor: cursor, more: more,
            resync: resync)
    }

    /// The message as JSON, with what is stored in it as it is: for a page of records it is what
    /// takes the time.
    package func json() throws(SyncError) -> [UInt8] {
        let size = records.reduce(500) { $0 + $1.record.fieldsText.utf8.count + 300 }
        var writer = JSONWriter(expecting: size)
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
            for (number, record) in records.enumerated() {
                if number > 0 { writer.piece(",") }
                try record.write(to: &writer)
            }
        } catch {
            throw .store(error)
        }
        writer.piece(#"],"resync":"#)
        writer.flag(resync)
        writer.piece("}")
        return writer.bytes
    }
}
