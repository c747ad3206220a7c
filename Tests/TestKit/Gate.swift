import Dispatch

/// Blocks a thread until a test opens the gate.
package final class Gate: Sendable {
    private let (arrivals, arrival) = AsyncStream<Void>.makeStream()
    private let way: DispatchSemaphore

    package init(isOpen: Bool = false) {
        way = DispatchSemaphore(value: isOpen ? 1 : 0)
    }

    /// Returns when the gate is open.
    package func pass() {
        arrival.yield()
        way.wait()
        way.signal()
    }

    /// Waits until a thread is at the gate.
    package func isReached() async {
        for await _ in arrivals { return }
    }

    package func open() { way.signal() }
}
