import Queues
import Testing

@Suite struct FairQueueTests {
    private var queue = FairQueue<String>(maxCount: 6)

    /// The group and the member are the first two characters of an element. Returns those that
    /// find no room.
    private mutating func append(_ elements: String...) -> [String] {
        elements.compactMap { element in
            let names = element.map { String($0) }
            return queue.append(
                element, WaitTicket(), of: WaitOrigin(group: names[0], member: names[1]))
        }
    }

    private mutating func rest() -> [String] {
        var found: [String] = []
        while let element = queue.popFirst() { found.append(element) }
        return found
    }

    @Test mutating func groupsTakeTurnsAndTheirMembersToo() {
        #expect(append("ax1", "ax2", "ay1", "bx1", "bx2", "cx1") == [])
        #expect(rest() == ["ax1", "bx1", "cx1", "ay1", "bx2", "ax2"])
    }

    /// Otherwise a group that comes again at once would always be next.
    @Test mutating func groupThatComesAgainIsBehindTheOthers() {
        #expect(append("ax1", "bx1", "bx2") == [])
        #expect(queue.popFirst() == "ax1")
        #expect(append("ax2") == [])
        #expect(rest() == ["bx1", "ax2", "bx2"])
    }

    @Test mutating func floodTakesNoPlaceFromOthers() {
        #expect(append("a11", "a21", "a31", "a41", "a51", "a61") == [])
        #expect(append("a71") == ["a71"])
        #expect(append("bx1", "cx1", "dx1") == ["a61", "a51", "a41"])
        #expect(rest() == ["a11", "bx1", "cx1", "dx1", "a21", "a31"])
    }

    @Test mutating func newcomersLargeGroupLoses() {
        #expect(append("a11", "a21", "a31", "b11", "b21", "b31") == [])
        #expect(append("b41") == ["b41"])
        #expect(append("c11") == ["b31"])
    }

    @Test mutating func memberWithManyGivesUpOne() {
        #expect(append("ax1", "ax2", "ax3", "ax4", "ay1", "ay2") == [])
        #expect(append("az1") == ["ax4"])
        #expect(append("ax5") == ["ax5"])
        #expect(rest() == ["ax1", "ay1", "az1", "ax2", "ay2", "ax3"])
    }

    /// Only the first element of a member is asked.
    @Test mutating func membersThatAreNotReadyArePassedOver() {
        #expect(append("ax1", "ax2", "bx1", "cx1") == [])
        #expect(queue.popFirst { !$0.hasPrefix("a") } == "bx1")
        #expect(queue.popFirst { $0 == "ax2" } == nil)
        #expect(rest() == ["ax1", "cx1", "ax2"])
    }

    @Test mutating func ticketRemovesItsElementOnce() {
        let ticket = WaitTicket()
        #expect(append("ax1", "bx1") == [])
        #expect(queue.append("ax2", ticket, of: WaitOrigin(group: "a", member: "x")) == nil)
        #expect(queue.remove(ticket) == "ax2")
        #expect(queue.remove(ticket) == nil)
        #expect(queue.count == 2)
        #expect(queue.removeAll() == ["ax1", "bx1"])
        #expect(rest() == [])
    }

    @Test mutating func queueWithoutPlacesRefusesAll() {
        queue = FairQueue(maxCount: 0)
        #expect(append("ax1") == ["ax1"])
        #expect(queue.popFirst() == nil)
    }
}
