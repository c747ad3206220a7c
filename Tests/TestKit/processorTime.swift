import Foundation

/// The processor time that the thread spends on `body`. Other work of the machine does not count.
package func processorTime(_ body: () throws -> Void) rethrows -> Duration {
    let start = processorTime()
    try body()
    return processorTime() - start
}

private func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
