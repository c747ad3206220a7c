import DefinitionModel
import JSON
import SyncProtocol

/// Sorts changes so that every creation comes before the changes that refer to its record, and
/// otherwise in the order in which they were made. `creation` returns the waiting creation of a
/// record, which need not be among `changes`.
func inSendingOrder(
    _ changes: [LocalChange], creation: (_ guid: String) throws -> LocalChange?
) rethrows -> [LocalChange] {
    var order = SendingOrder()
    for change in changes { try order.add(change, creation) }
    return order.changes
}

private struct SendingOrder {
    private(set) var changes: [LocalChange] = []
    private var added: Set<Int64> = []

    /// Adds a change after the creations that it refers to, recursively. A cycle ends where it
    /// began.
    mutating func add(
        _ change: LocalChange, _ creation: (String) throws -> LocalChange?
    ) rethrows {
        var steps: [(change: LocalChange, isReady: Bool)] = [(change, false)]
        var entered: Set<Int64> = []
        while let (next, isReady) = steps.popLast() {
            if isReady {
                if added.insert(next.number).inserted { changes.append(next) }
            } else if !added.contains(next.number), entered.insert(next.number).inserted {
                steps.append((next, true))
                let needed = try next.referredGuids.compactMap(creation)
                steps += needed.reversed().map { ($0, false) }
            }
        }
    }
}

extension LocalChange {
    /// The guids of records that it may refer to: every text value that is a guid.
    fileprivate var referredGuids: [String] {
        fields.sorted { $0.key < $1.key }.compactMap { _, value in
            guard case .string(let text) = value, isGuid(text) else { return nil }
            return text
        }
    }
}
