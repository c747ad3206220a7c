import Dispatch

/// Where somebody waits until others say that it may go on.
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
