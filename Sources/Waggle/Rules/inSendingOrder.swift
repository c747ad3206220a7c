import DefinitionModel
import JSON
import SyncProtocol

/// Changes in an order in which every creation comes before what refers to it; otherwise in the
/// order in which they were made. `creation` gives the creation of a record that waits, also of one
/// that is not among these.
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

    /// After the creations that it refers to, each after its own. Circles end where they began.
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
    /// Of the records that it may belong to: texts that are guids, whatever the field.
    fileprivate var referredGuids: [String] {
        fields.sorted { $0.key < $1.key }.compactMap { _, value in
            guard case .string(let text) = value, isGuid(text) else { return nil }
            return text
        }
    }
}
