import Testing

@testable import SyncEngine
@testable import UserAccounts

@Suite("Moments")
struct InstantTests {
    @Test(arguments: [(Int64(0), Int64(0)), (1, 1), (999, 1), (1000, 1), (1001, 2)])
    func secondsBetweenTwoAreRoundedUp(milliseconds: Int64, seconds: Int64) {
        let start = Instant(milliseconds: 5000)
        let end = Instant(milliseconds: 5000 + milliseconds)
        #expect(end.seconds(since: start) == seconds)
    }

    /// A client that waits as long as the answer says is admitted.
    @Test(arguments: [(Int64(0), Int64(4)), (1, 4), (3000, 1), (3999, 1), (4000, 0)])
    func waitIsNeverTooShort(millisecondsSince: Int64, seconds: Int64) {
        let failed = FailedSignIns(count: 7, last: Instant(milliseconds: 0))
        let now = Instant(milliseconds: millisecondsSince)
        #expect(signInWaitSeconds(after: failed, at: now, free: 5, longest: 60) == seconds)
    }
}
