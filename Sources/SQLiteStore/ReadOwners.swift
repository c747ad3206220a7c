import Foundation
import SyncEngine

/// Whether the fields of scanned records are read, with the answers for recent owners.
///
/// Neighbouring records often have the same model, owner and group. To compare bytes takes a tenth
/// of what the policy takes.
struct ReadOwners {
    private struct Answer {
        let model: [UInt8]
        let owner: [UInt8]
        let group: [UInt8]
        let isRead: Bool
    }

    private static let maxAnswers = 8

    private let readable: ReadableRecords?
    private var recent: [Answer] = []

    /// Nil for an asker who sees every record.
    init(_ readable: ReadableRecords?) { self.readable = readable }

    /// The row has the columns of `ReadRecord.columns`.
    mutating func contain(_ row: StatementRow) throws -> Bool {
        guard let readable else { return true }
        let (model, owner, group) = (try row.bytes(1), try row.bytes(2), try row.bytes(3))
        for answer in recent
        where isSame(owner, answer.owner) && isSame(group, answer.group)
            && isSame(model, answer.model)
        {
            return answer.isRead
        }
        let isRead = readable.contains(try row.owner())
        if recent.count == Self.maxAnswers { recent.removeFirst() }
        recent.append(
            Answer(model: Array(model), owner: Array(owner), group: Array(group), isRead: isRead))
        return isRead
    }

    private func isSame(_ bytes: UnsafeBufferPointer<UInt8>, _ known: [UInt8]) -> Bool {
        guard bytes.count == known.count, let start = bytes.baseAddress else {
            return bytes.count == known.count
        }
        return memcmp(start, known, known.count) == 0
    }
}
