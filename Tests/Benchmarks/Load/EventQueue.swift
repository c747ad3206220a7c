import CLinux
import Glibc

/// Waits for sockets to become readable or writable, and for a timer.
final class EventQueue {
    enum Event {
        case socket(Int)
        case moment
    }

    private let queue: CInt
    private let timer: CInt
    private var events = [epoll_event](repeating: epoll_event(), count: 256)
    private static let momentNumber = UInt64.max

    init() throws(Failure) {
        queue = epoll_create1(0)
        timer = timerfd_create(CLOCK_MONOTONIC, CInt(TFD_NONBLOCK))
        guard queue >= 0, timer >= 0 else { throw .system("a queue of events") }
        try control(EPOLL_CTL_ADD, timer, Self.momentNumber, writing: false)
    }

    /// Always reports readable sockets; writable ones if `writing` is true.
    func add(_ socket: CInt, number: Int, writing: Bool) throws(Failure) {
        try control(EPOLL_CTL_ADD, socket, UInt64(number), writing: writing)
    }

    func change(_ socket: CInt, number: Int, writing: Bool) throws(Failure) {
        try control(EPOLL_CTL_MOD, socket, UInt64(number), writing: writing)
    }

    /// Sets the timer, replacing an earlier one. Nil disables it.
    func wake(at moment: Moment?) throws(Failure) {
        // All zeros would disable the timer.
        let nanoseconds = moment.map { max(1, $0.nanoseconds) } ?? 0
        var time = itimerspec()
        time.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
        time.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
        guard timerfd_settime(timer, CInt(TFD_TIMER_ABSTIME), &time, nil) == 0 else {
            throw .system("a timer")
        }
    }

    /// Empty if nothing happens within the time.
    func next(within seconds: Double) throws(Failure) -> [Event] {
        let count = epoll_wait(queue, &events, CInt(events.count), CInt(seconds * 1000))
        guard count >= 0 else {
            if errno == EINTR { return [.moment] }
            throw .system("a queue of events")
        }
        return events[..<Int(count)].map { event in
            guard event.data.u64 == Self.momentNumber else {
                return .socket(Int(event.data.u64))
            }
            var times: UInt64 = 0
            _ = read(timer, &times, MemoryLayout<UInt64>.size)
            return .moment
        }
    }

    private func control(
        _ operation: CInt, _ file: CInt, _ number: UInt64, writing: Bool
    ) throws(Failure) {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | (writing ? EPOLLOUT.rawValue : 0)
        event.data.u64 = number
        guard epoll_ctl(queue, operation, file, &event) == 0 else {
            throw .system("a queue of events")
        }
    }
}
