import Administration
import SyncEngine
import Testing

@Suite struct FailureCountsTests {
    private func time(_ seconds: Int64) -> Instant { Instant(milliseconds: seconds * 1000) }

    /// The seconds that a stranger waits.
    private func wait(
        _ counts: FailureCounts, _ name: String, _ address: String, at seconds: Int64
    ) -> Int64 {
        counts.waitSeconds(name: name, address: address, isKnown: false, at: time(seconds))
    }

    @Test func sixthFailureOfNameAndAddressWaits() {
        var counts = FailureCounts()
        for _ in 0..<4 {
            counts.fail(name: "ann", address: "a", isKnown: false, at: time(0))
        }
        #expect(wait(counts, "ann", "a", at: 0) == 0)
        counts.fail(name: "ann", address: "a", isKnown: false, at: time(0))
        #expect(wait(counts, "ann", "a", at: 0) == 1)
        counts.fail(name: "ann", address: "a", isKnown: false, at: time(1))
        #expect(wait(counts, "ann", "a", at: 1) == 2)
        #expect(wait(counts, "ann", "a", at: 3) == 0)
        #expect(wait(counts, "ben", "a", at: 1) == 0)
        #expect(wait(counts, "ann", "b", at: 1) == 0)
        counts.succeed(name: "ann", address: "a", isKnown: false)
        #expect(wait(counts, "ann", "a", at: 1) == 0)
    }

    @Test func attemptsOfOneMomentAreNotAllFree() {
        var counts = FailureCounts()
        let waits = (0..<9).map { _ in
            counts.begin(name: "ann", address: "a", isKnown: false, at: time(0))
        }
        #expect(waits == [0, 0, 0, 0, 0, 1, 1, 1, 1])
        // Those that wait count no more, and the first one was right.
        #expect(counts.begin(name: "ann", address: "a", isKnown: false, at: time(1)) == 0)
        counts.succeed(name: "ann", address: "a", isKnown: false)
        #expect(counts.begin(name: "ann", address: "a", isKnown: false, at: time(1)) == 0)
    }

    @Test func attemptThatEndedWellCountsForNobody() {
        var counts = FailureCounts()
        for number in 0..<19 {
            counts.fail(name: "\(number)", address: "a", isKnown: false, at: time(0))
        }
        for _ in 0..<9 {
            #expect(counts.begin(name: "ann", address: "a", isKnown: false, at: time(5)) == 0)
            counts.succeed(name: "ann", address: "a", isKnown: false)
            #expect(counts.begin(name: "ann", address: "a", isKnown: false, at: time(5)) == 0)
            counts.withdraw(name: "ann", address: "a", isKnown: false)
        }
        counts.fail(name: "ann", address: "a", isKnown: false, at: time(9))
        #expect(wait(counts, "other", "a", at: 9) == 1)
    }

    @Test func addressWaitsWhateverNames() {
        var counts = FailureCounts()
        for number in 0..<20 {
            counts.fail(name: "\(number)", address: "a", isKnown: false, at: time(0))
        }
        #expect(wait(counts, "other", "a", at: 0) == 1)
        #expect(wait(counts, "other", "b", at: 0) == 0)
    }

    /// Strangers from many addresses share the attempts at a name, and keep none from a browser
    /// that has signed in with it before.
    @Test func strangersShareAttempts() {
        var counts = FailureCounts()
        func wait(_ name: String, from address: String, isKnown: Bool = false) -> Int64 {
            counts.waitSeconds(name: name, address: address, isKnown: isKnown, at: time(9))
        }
        for number in 0..<100 {
            #expect(wait("ann", from: "\(number)") == 0)
            let waited = counts.begin(
                name: "ann", address: "\(number)", isKnown: false, at: time(9))
            #expect(waited == 0)
        }
        #expect(wait("ann", from: "100") == 10)
        #expect(wait("ben", from: "100") == 0)
        #expect(wait("ann", from: "100", isKnown: true) == 0)
        func begin(at seconds: Int64, isKnown: Bool = false) -> Int64 {
            counts.begin(name: "ann", address: "100", isKnown: isKnown, at: time(seconds))
        }
        #expect(begin(at: 10, isKnown: true) == 0)
        counts.succeed(name: "ann", address: "100", isKnown: true)
        #expect(begin(at: 18) == 1)
        #expect(begin(at: 19) == 0)
        #expect(begin(at: 20) == 9)
        #expect(begin(at: 19 + 3600) == 0)
    }

    @Test func oneFailureOfRowIsLogged() {
        var logged = LoggedFailures()
        var due = [("ann", 0), ("ann", 3599), ("ben", 3599), ("ann", 3600)].map {
            logged.isDue($0, at: time($1))
        }
        logged.end("ann")
        due += [3601, 3602].map { logged.isDue("ann", at: time($0)) }
        #expect(due == [true, false, true, true, true, false])
    }

    @Test func hourLaterTheyAreForgotten() {
        var counts = FailureCounts()
        for _ in 0..<9 {
            counts.fail(name: "ann", address: "a", isKnown: false, at: time(0))
        }
        counts.fail(name: "ann", address: "a", isKnown: false, at: time(3600))
        #expect(wait(counts, "ann", "a", at: 3600) == 0)
    }

    @Test func onlySomeSourcesAreKept() {
        var counts = FailureCounts(most: 100)
        for number in 0..<1000 {
            counts.fail(
                name: "\(number)", address: "\(number)", isKnown: false, at: time(Int64(number)))
        }
        for _ in 0..<5 {
            counts.fail(name: "ann", address: "a", isKnown: false, at: time(1000))
        }
        #expect(wait(counts, "ann", "a", at: 1000) == 1)
    }
}
