import Administration
import SyncEngine
import Testing

@Suite struct FailureCountsTests {
    private func time(_ seconds: Int64) -> Instant { Instant(milliseconds: seconds * 1000) }

    @Test func sixthFailureOfNameAndAddressWaits() {
        var counts = FailureCounts()
        for _ in 0..<4 { counts.fail(name: "ann", address: "a", at: time(0)) }
        #expect(counts.waitSeconds(name: "ann", address: "a", at: time(0)) == 0)
        counts.fail(name: "ann", address: "a", at: time(0))
        #expect(counts.waitSeconds(name: "ann", address: "a", at: time(0)) == 1)
        counts.fail(name: "ann", address: "a", at: time(1))
        #expect(counts.waitSeconds(name: "ann", address: "a", at: time(1)) == 2)
        #expect(counts.waitSeconds(name: "ann", address: "a", at: time(3)) == 0)
        #expect(counts.waitSeconds(name: "ben", address: "a", at: time(1)) == 0)
        #expect(counts.waitSeconds(name: "ann", address: "b", at: time(1)) == 0)
        counts.succeed(name: "ann", address: "a")
        #expect(counts.waitSeconds(name: "ann", address: "a", at: time(1)) == 0)
    }

    @Test func attemptsOfOneMomentAreNotAllFree() {
        var counts = FailureCounts()
        let waits = (0..<9).map { _ in counts.begin(name: "ann", address: "a", at: time(0)) }
        #expect(waits == [0, 0, 0, 0, 0, 1, 1, 1, 1])
        // Those that wait count no more, and the first one was right.
        #expect(counts.begin(name: "ann", address: "a", at: time(1)) == 0)
        counts.succeed(name: "ann", address: "a")
        #expect(counts.begin(name: "ann", address: "a", at: time(1)) == 0)
    }

    @Test func attemptThatEndedWellCountsForNobody() {
        var counts = FailureCounts()
        for number in 0..<19 { counts.fail(name: "\(number)", address: "a", at: time(0)) }
        for _ in 0..<9 {
            #expect(counts.begin(name: "ann", address: "a", at: time(5)) == 0)
            counts.succeed(name: "ann", address: "a")
            #expect(counts.begin(name: "ann", address: "a", at: time(5)) == 0)
            counts.withdraw(name: "ann", address: "a")
        }
        counts.fail(name: "ann", address: "a", at: time(9))
        #expect(counts.waitSeconds(name: "other", address: "a", at: time(9)) == 1)
    }

    @Test func addressWaitsWhateverNames() {
        var counts = FailureCounts()
        for number in 0..<20 { counts.fail(name: "\(number)", address: "a", at: time(0)) }
        #expect(counts.waitSeconds(name: "other", address: "a", at: time(0)) == 1)
        #expect(counts.waitSeconds(name: "other", address: "b", at: time(0)) == 0)
    }

    @Test func hourLaterTheyAreForgotten() {
        var counts = FailureCounts()
        for _ in 0..<9 { counts.fail(name: "ann", address: "a", at: time(0)) }
        counts.fail(name: "ann", address: "a", at: time(3600))
        #expect(counts.waitSeconds(name: "ann", address: "a", at: time(3600)) == 0)
    }

    @Test func onlySomeSourcesAreKept() {
        var counts = FailureCounts(most: 100)
        for number in 0..<1000 {
            counts.fail(name: "\(number)", address: "\(number)", at: time(Int64(number)))
        }
        for _ in 0..<5 { counts.fail(name: "ann", address: "a", at: time(1000)) }
        #expect(counts.waitSeconds(name: "ann", address: "a", at: time(1000)) == 1)
    }
}
