import DefinitionModel
import Testing

@testable import SyncEngine

@Suite("Stored outcomes are counted from time to time")
struct OutcomeGaugeTests {
    /// The outcomes of a device are counted once for five, those of all devices once for twelve.
    private let gauge = OutcomeGauge(
        maxOfDevice: StoredAmount(rows: 50, bytes: 1 << 20),
        maxOfUser: StoredAmount(rows: 120, bytes: 2 << 20))
    private let phone = DeviceKey(login: "ann", deviceIdentifier: "phone")
    private let tablet = DeviceKey(login: "ann", deviceIdentifier: "tablet")
    private let watch = DeviceKey(login: "ann", deviceIdentifier: "watch")
    private let bens = DeviceKey(login: "ben", deviceIdentifier: "phone")

    /// The indices of the pushes that count.
    private func counting(_ pushes: [(DeviceKey, Int)]) -> [Int] {
        let due = pushes.map { gauge.isDue(writing: $0.1, by: $0.0) }
        return due.indices.filter { due[$0] }
    }

    private func note(
        _ amounts: [DeviceKey: StoredAmount], by device: DeviceKey, writing count: Int = 1
    ) {
        let ofDevices = amounts.map { (ByteKey($0.key.deviceIdentifier), $0.value) }
        _ = gauge.limitExceeded(
            writing: count, by: device,
            given: OutcomeAmounts(ofDevices: Dictionary(uniqueKeysWithValues: ofDevices)))
    }

    @Test func onceForTenthOfDevice() {
        #expect(counting(Array(repeating: (phone, 1), count: 12)) == [4, 9])
    }

    @Test func onceForTenthOfUser() {
        let turns = [(phone, 1), (tablet, 1), (watch, 1)]
        #expect(counting(Array(repeating: turns, count: 8).flatMap(\.self)) == [11, 23])
    }

    @Test func largePushCounts() {
        #expect(counting([(phone, 5), (phone, 4)]) == [0])
    }

    @Test func usersAreApart() {
        #expect(counting([(phone, 4), (bens, 4)]) == [])
    }

    /// Whichever device counted them.
    @Test(arguments: [
        (rows: 47, bytes: 0, pushes: 3), (rows: 50, bytes: 0, pushes: 0),
        (rows: 1, bytes: (1 << 20) - (16 << 10), pushes: 2), (rows: 1, bytes: 1 << 20, pushes: 0),
    ])
    func fullDeviceCounts(rows: Int, bytes: Int, pushes: Int) {
        note([phone: StoredAmount(rows: rows, bytes: bytes)], by: tablet)
        let due = counting(Array(repeating: (phone, 1), count: pushes + 1))
        #expect(due == [pushes])
    }

    @Test func fullUserCounts() {
        let rows = [phone: 40, tablet: 40, watch: 36]
        note(rows.mapValues { StoredAmount(rows: $0, bytes: 0) }, by: tablet)
        #expect(counting([(watch, 2), (phone, 1), (watch, 1)]) == [2])
    }

    /// The push that counts writes its outcomes afterwards.
    @Test func countingPushTakesRoom() {
        note([phone: StoredAmount(rows: 45, bytes: 0)], by: phone, writing: 4)
        #expect(counting([(phone, 1), (phone, 1)]) == [1])
    }

    /// It may have acknowledged some.
    @Test func refusedDeviceCountsAgain() {
        note([phone: StoredAmount(rows: 50, bytes: 0)], by: phone)
        #expect(counting([(phone, 1), (phone, 1)]) == [0, 1])
    }

    @Test func fullDeviceIsRefused() {
        let stored = OutcomeAmounts(ofDevices: [
            ByteKey("phone"): StoredAmount(rows: 1, bytes: 1 << 20)
        ])
        #expect(gauge.limitExceeded(writing: 1, by: phone, given: stored)?.bytes == 1 << 20)
        #expect(gauge.limitExceeded(writing: 1, by: tablet, given: stored) == nil)
    }

    private static let amounts: [(count: Int, phone: Int, tablet: Int, limit: Int?)] = [
        (0, 50, 70, nil), (1, 49, 0, nil), (1, 50, 0, 50), (2, 49, 0, 50), (1, 49, 70, nil),
        (1, 49, 71, 120),
    ]

    @Test(arguments: amounts)
    func limitsHold(count: Int, phone: Int, tablet: Int, limit: Int?) {
        let stored = OutcomeAmounts(ofDevices: [
            ByteKey("phone"): StoredAmount(rows: phone, bytes: 0),
            ByteKey("tablet"): StoredAmount(rows: tablet, bytes: 0),
        ])
        let exceeded = gauge.limitExceeded(writing: count, by: self.phone, given: stored)
        #expect(exceeded?.rows == limit)
    }
}
