import CoreMetrics
import Synchronization

/// Durations, counted in buckets of seconds.
final class StoredHistogram: TimerHandler, RecorderHandler {
    private let counts: Mutex<DurationCounts>

    init(bounds: [Double] = DurationCounts.standardBounds) {
        counts = Mutex(DurationCounts(bounds: bounds))
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { counts.withLock { $0.add(seconds: value) } }

    var durations: DurationCounts { counts.withLock { $0 } }
}
