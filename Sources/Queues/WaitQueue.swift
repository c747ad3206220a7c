import Synchronization

/// Identifies a waiting task in this process.
package struct WaitTicket: Hashable, Sendable {
    private static let last = Atomic(0)

    private let number = WaitTicket.last.add(1, ordering: .relaxed).newValue

    package init() {}
}

/// Waiting tasks, in the order in which they came. Each has a ticket, by which it can leave the
/// queue before its turn.
package struct WaitQueue<Element> {
    private var waiting: [(ticket: WaitTicket, element: Element)] = []

    package init() {}

    package var count: Int { waiting.count }

    package mutating func append(_ element: Element, _ ticket: WaitTicket) {
        waiting.append((ticket, element))
    }

    /// Returns nil if the queue is empty.
    package mutating func popFirst() -> Element? {
        waiting.isEmpty ? nil : waiting.removeFirst().element
    }

    /// Returns nil if the element is not in the queue any more, or not yet.
    package mutating func remove(_ ticket: WaitTicket) -> Element? {
        waiting.firstIndex { $0.ticket == ticket }.map { waiting.remove(at: $0).element }
    }

    /// Empties the queue, and returns the elements in their order.
    package mutating func removeAll() -> [Element] {
        defer { waiting = [] }
        return waiting.map(\.element)
    }
}

extension WaitQueue: Sendable where Element: Sendable {}
