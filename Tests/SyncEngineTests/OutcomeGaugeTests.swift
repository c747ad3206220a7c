import Testing

@testable import SyncEngine

@Suite("Stored outcomes are counted from time to time")
struct OutcomeGaugeTests {
    /// With a limit of 50 outcomes, they are counted once for five.
    private let gauge = OutcomeGauge(maxOfDevice: 50)

    @Test func outcomesAreCountedOncePerTenthOfLimit() {
        let due = (0..<12).map { _ in gauge.isDue(writing: 1, by: "ann") }
        #expect(due.indices.filter { due[$0] } == [4, 9])
    }

    @Test func largePushCountsThem() {
        #expect(gauge.isDue(writing: 5, by: "ann"))
        #expect(!gauge.isDue(writing: 4, by: "ann"))
    }

    @Test func usersAreApart() {
        #expect(!gauge.isDue(writing: 4, by: "ann"))
        #expect(!gauge.isDue(writing: 4, by: "ben"))
    }

    @Test func withoutRoomTheNextPushCountsThemToo() {
        gauge.stayDue(for: "ann")
        #expect(gauge.isDue(writing: 1, by: "ann"))
    }
}
