import Dispatch

/// Blocks a thread until a test opens the gate.
final class Gate: Sendable {
    private let (arrivals, arrival) = AsyncStream<Void>.makeStream()
    private let way = DispatchSemaphore(value: 0)

    func pass() {
        arrival.yield()
        way.wait()
        way.signal()
    }

    func isReached() async {
        for await _ in arrivals { return }
    }

    func open() { way.signal() }
}
