import Synchronization

/// Identifies a waiting task or call in this process.
package struct WaitTicket: Hashable, Sendable {
    private static let last = Atomic(0)

    private let number = WaitTicket.last.add(1, ordering: .relaxed).newValue

    package init() {}
}

/// Waiting tasks or calls, in the order in which they came. Each has a ticket, by which it can
/// leave the queue before its turn.
package struct WaitQueue<Element> {
    private var waiting: [(ticket: WaitTicket, element: Element)] = []

    package init() {}

    package var count: Int { waiting.count }

    package var first: Element? { waiting.first?.element }

    /// The first elements in their order, at most so many.
    package func prefix(_ count: Int) -> [Element] { waiting.prefix(count).map(\.element) }

    package mutating func append(_ element: Element, _ ticket: WaitTicket) {
        waiting.append((ticket, element))
    }

    /// Puts an element before all others.
    package mutating func prepend(_ element: Element, _ ticket: WaitTicket) {
        waiting.insert((ticket, element), at: 0)
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

    /// Removes the first elements, and returns them in their order. There must be so many.
    package mutating func removeFirst(_ count: Int) -> [Element] {
        defer { waiting.removeFirst(count) }
        return prefix(count)
    }
}

extension WaitQueue: Sendable where Element: Sendable {}
