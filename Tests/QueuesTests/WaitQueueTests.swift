import Queues
import Testing

@Suite struct WaitQueueTests {
    private var queue = WaitQueue<String>()
    private let tickets = (0..<3).map { _ in WaitTicket() }

    init() {
        for (name, ticket) in zip(["a", "b", "c"], tickets) { queue.append(name, ticket) }
    }

    @Test mutating func elementsLeaveInTheirOrder() {
        #expect(queue.count == 3)
        #expect([queue.popFirst(), queue.popFirst(), queue.popFirst()] == ["a", "b", "c"])
        #expect(queue.popFirst() == nil)
    }

    /// A ticket that was removed is unknown from then on.
    @Test mutating func ticketRemovesItsElementOnce() {
        #expect(queue.remove(tickets[1]) == "b")
        #expect(queue.remove(tickets[1]) == nil)
        #expect(queue.remove(WaitTicket()) == nil)
        #expect(queue.removeAll() == ["a", "c"] && queue.count == 0)
    }
}
