import DefinitionModel
import SyncProtocol

/// The changes that can go out now, in an order in which every creation comes before what refers to
/// it; otherwise in the order in which they were made.
///
/// What follows a change that is being settled stays where it is.
func inSendingOrder(_ changes: [LocalChange]) -> [LocalChange] {
    let held = Set(changes.filter { !$0.state.canGo }.map(\.guid))
    let going = changes.filter { $0.state.isPending && !held.contains($0.guid) }
    let creations = Dictionary(
        going.filter { $0.action == .create }.map { ($0.guid, $0) },
        uniquingKeysWith: { first, _ in first })
    var order = SendingOrder(creations: creations)
    for change in going { order.add(change) }
    return order.changes
}

private struct SendingOrder {
    let creations: [String: LocalChange]
    private(set) var changes: [LocalChange] = []
    private var added: Set<Int64> = []

    init(creations: [String: LocalChange]) {
        self.creations = creations
    }

    /// After the creations that it refers to, each after its own. Circles end where they began.
    mutating func add(_ change: LocalChange) {
        var steps: [(change: LocalChange, isReady: Bool)] = [(change, false)]
        var entered: Set<Int64> = []
        while let (next, isReady) = steps.popLast() {
            if isReady {
                if added.insert(next.number).inserted { changes.append(next) }
            } else if !added.contains(next.number), entered.insert(next.number).inserted {
                steps.append((next, true))
                let needed = next.referredGuids.compactMap { creations[$0] }
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

extension LocalChange.State {
    var canGo: Bool {
        switch self {
        case .waiting, .sent, .refused: true
        case .disputed, .postponed: false
        }
    }
}
