import CoreMetrics
import Synchronization

/// A counter. It never decreases while the process runs.
final class StoredCounter: CounterHandler {
    private let value = Atomic<Int64>(0)

    func increment(by amount: Int64) { value.wrappingAdd(amount, ordering: .relaxed) }
    func reset() { value.store(0, ordering: .relaxed) }

    var count: Int64 { value.load(ordering: .relaxed) }
}
