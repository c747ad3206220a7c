import ChangeRules
import Foundation
package import JSON
package import SyncEngine
import SyncProtocol

/// Encodes records as `RecordMessage`s, separated by commas, with sorted keys. Stored fields are
/// copied unchanged.
package struct NativeRecordEncoder: RecordEncoder {
    package let name = "native"

    package init() {}

    /// Encoding a page of records is most of the work of a pull.
    package func write(
        _ records: ShownRecords, to writer: inout JSONWriter
    ) throws(StoreError) {
        // Read once, because each access from another module retains the storage.
        let shown = records.shown
        let parts = Parts(selections: records.selections, conflicts: records.conflicts)
        var next = shown.startIndex
        for (number, page) in records.pages.enumerated() {
            let end = shown[next...].firstIndex { $0.page != number } ?? shown.endIndex
            if next > 0 && next < end { writer.piece(",") }
            try page.withBytes { bytes throws(StoreError) in
                try write(shown[next..<end], of: page.rows, parts, bytes, to: &writer)
            }
            next = end
        }
    }

    private func write(
        _ shown: ArraySlice<ShownRecords.Shown>, of rows: [PageRecords.Row],
        _ parts: borrowing Parts, _ bytes: UnsafeBufferPointer<UInt8>, to writer: inout JSONWriter
    ) throws(StoreError) {
        var names = WrittenNames()
        for index in shown.indices {
            if index > shown.startIndex { writer.piece(",") }
            let row = rows[shown[index].place]
            names.take(row.names, in: bytes)
            try write(shown[index], row, parts, names, bytes, to: &writer)
        }
    }

    private func write(
        _ one: ShownRecords.Shown, _ row: PageRecords.Row, _ parts: borrowing Parts,
        _ names: borrowing WrittenNames, _ bytes: UnsafeBufferPointer<UInt8>,
        to writer: inout JSONWriter
    ) throws(StoreError) {
        if row.isConflicted || row.isDeleted {
            try writeState(of: row, one.conflicts.map { parts.conflicts[$0] }, to: &writer)
        } else {
            writer.piece(#"{"conflicted":false,"deleted":false"#)
        }
        if row.isConflicted || !row.isDeleted {
            writer.piece(#","fields":"#)
            let fields = UnsafeBufferPointer(rebasing: bytes[row.fields])
            try parts.selections[one.selection].write(fields, to: &writer)
        }
        names.writeGroup(to: &writer)
        writer.string(UnsafeBufferPointer(rebasing: bytes[row.guid]))
        names.writeModelAndOwner(to: &writer)
        writer.integer(row.revision)
        writer.piece("}")
    }

    private func writeState(
        of row: PageRecords.Row, _ conflicts: [RecordConflict]?, to writer: inout JSONWriter
    ) throws(StoreError) {
        writer.piece(#"{"conflicted":"#)
        writer.flag(row.isConflicted)
        if let conflicts {
            writer.piece(#","conflicts":"#)
            writer.piece(written: try encoded(conflicts))
        }
        writer.piece(#","deleted":"#)
        writer.flag(row.isDeleted)
    }
}

/// The parts of a response that records refer to by index.
private struct Parts: ~Copyable {
    let selections: [FieldSelection]
    let conflicts: [[RecordConflict]]
}

/// Encoded names, which neighbouring records mostly share.
private struct WrittenNames: ~Copyable {
    private var names: PageRecords.Names?
    private var group: [UInt8] = []
    private var modelAndOwner: [UInt8] = []

    mutating func take(_ names: PageRecords.Names, in bytes: UnsafeBufferPointer<UInt8>) {
        guard self.names != names else { return }
        self.names = names
        group = written { writer in
            writer.piece(#","group":"#)
            writer.string(UnsafeBufferPointer(rebasing: bytes[names.group]))
            writer.piece(#","guid":"#)
        }
        modelAndOwner = written { writer in
            writer.piece(#","model":"#)
            writer.string(UnsafeBufferPointer(rebasing: bytes[names.model]))
            writer.piece(#","owner":"#)
            writer.string(UnsafeBufferPointer(rebasing: bytes[names.owner]))
            writer.piece(#","revision":"#)
        }
    }

    borrowing func writeGroup(to writer: inout JSONWriter) { writer.piece(group) }

    borrowing func writeModelAndOwner(to writer: inout JSONWriter) { writer.piece(modelAndOwner) }
}

private func written(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    write(&writer)
    return writer.bytes
}

private func encoded(_ conflicts: [RecordConflict]) throws(StoreError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
        let messages = conflicts.map(ConflictMessage.init)
        return String(decoding: try encoder.encode(messages), as: UTF8.self)
    } catch {
        throw .unreadable("conflicts cannot be written as JSON: \(error)")
    }
}
