import CoreMetrics
import Synchronization

/// A number that rises and falls.
final class StoredGauge: MeterHandler, RecorderHandler {
    private let bits = Atomic<UInt64>(Double.zero.bitPattern)

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }
    func record(_ value: Int64) { set(value) }
    func record(_ value: Double) { set(value) }
    func increment(by amount: Double) { add(amount) }
    func decrement(by amount: Double) { add(-amount) }

    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    private func add(_ amount: Double) {
        var present = bits.load(ordering: .relaxed)
        while true {
            let next = (Double(bitPattern: present) + amount).bitPattern
            let (isDone, found) = bits.weakCompareExchange(
                expected: present, desired: next, ordering: .relaxed)
            if isDone { return }
            present = found
        }
    }
}
