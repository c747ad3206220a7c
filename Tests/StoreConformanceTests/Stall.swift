import Dispatch

/// A gate at which a task waits until others open it.
final class Stall: Sendable {
    private let (arrivals, arrival) = AsyncStream<Void>.makeStream()
    private let way: DispatchSemaphore

    init(isOver: Bool = false) {
        way = DispatchSemaphore(value: isOver ? 1 : 0)
    }

    func reach() {
        arrival.yield()
        way.wait()
        way.signal()
    }

    func isReached() async {
        for await _ in arrivals { return }
    }

    func end() { way.signal() }
}
